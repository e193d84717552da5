/** The whole lab at once: both providers as processes, all neighbours, a real API server. */
package io.capoa.lab.e2e;
