/** The control plane reconciler on a real API server; the tests act as its peers. */
package io.capoa.controlplane.integration;
