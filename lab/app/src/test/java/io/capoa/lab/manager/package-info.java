/** The manager process, started as a child of the test, against a real API server. */
@NullMarked
package io.capoa.lab.manager;

import org.jspecify.annotations.NullMarked;
