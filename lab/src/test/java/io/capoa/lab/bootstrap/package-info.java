/** The bootstrap provider's process on a real API server; the tests act as its neighbours. */
package io.capoa.lab.bootstrap;
