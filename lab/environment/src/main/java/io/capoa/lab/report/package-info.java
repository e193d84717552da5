/** Figures of a run. */
@NullMarked
package io.capoa.lab.report;

import org.jspecify.annotations.NullMarked;
