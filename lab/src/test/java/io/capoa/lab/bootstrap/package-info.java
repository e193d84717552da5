/** The bootstrap provider's process on a real API server, its neighbours played by the tests. */
package io.capoa.lab.bootstrap;
