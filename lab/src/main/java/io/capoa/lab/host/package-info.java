/** Simulated bare-metal hosts, which boot what they were really given and carry it out. */
@NullMarked
package io.capoa.lab.host;

import org.jspecify.annotations.NullMarked;
