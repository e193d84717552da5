/** The lab as a command: starts everything, applies the files, shows the progress, stops everything. */
@NullMarked
package io.capoa.lab.command;

import org.jspecify.annotations.NullMarked;
