/** The control plane reconciler on a real API server; the tests play its neighbours. */
package io.capoa.lab.controlplane;
