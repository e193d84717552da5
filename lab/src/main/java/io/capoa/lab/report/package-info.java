/** What a run cost, in figures. */
@NullMarked
package io.capoa.lab.report;

import org.jspecify.annotations.NullMarked;
