/** Shows how a control plane's state is decided and told. */
package io.capoa.controlplane.controlplane;
