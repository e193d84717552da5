/** The command {@code ./lab/up}: starts the lab, applies manifests, shows the progress. */
@NullMarked
package io.capoa.lab.command;

import org.jspecify.annotations.NullMarked;
