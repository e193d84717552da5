/** A simulated assisted-service: its kube API, its agents' HTTP API, its way of going through an installation. */
@NullMarked
package io.capoa.lab.assisted;

import org.jspecify.annotations.NullMarked;
