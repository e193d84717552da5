/** A simulated assisted-service: its kube API, its agents' HTTP API, and the course of an installation. */
@NullMarked
package io.capoa.lab.assisted;

import org.jspecify.annotations.NullMarked;
