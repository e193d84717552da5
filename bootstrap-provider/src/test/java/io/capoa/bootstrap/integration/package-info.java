/** The bootstrap provider's process on a real API server; the tests act as its peers. */
package io.capoa.bootstrap.integration;
