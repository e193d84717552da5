/** The Grafana dashboard of the managers, and the documentation of the series that it shows. */
@NullMarked
package io.capoa.runtime.dashboard;

import org.jspecify.annotations.NullMarked;
