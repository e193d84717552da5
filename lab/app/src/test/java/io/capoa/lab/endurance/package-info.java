/** Plans of faults and of clusters' lives, what must hold under fire, mutations of inputs, and the report. */
@NullMarked
package io.capoa.lab.endurance;

import org.jspecify.annotations.NullMarked;
