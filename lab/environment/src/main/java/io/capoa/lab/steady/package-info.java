/** Test settings under which suites that depend on timing fail. */
@NullMarked
package io.capoa.lab.steady;

import org.jspecify.annotations.NullMarked;
