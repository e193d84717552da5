/** Simulated bare-metal hosts, which boot and run their actual image and ignition. */
@NullMarked
package io.capoa.lab.host;

import org.jspecify.annotations.NullMarked;
