/** The whole lab at once: both providers as processes, all peers, a real API server. */
package io.capoa.lab.e2e;
