/** The control plane reconciler on a real API server; the tests act as its neighbours. */
package io.capoa.lab.controlplane;
