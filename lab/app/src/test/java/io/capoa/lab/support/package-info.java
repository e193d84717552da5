/** {@code config/support/bundle}: complete, and without secrets. */
@NullMarked
package io.capoa.lab.support;

import org.jspecify.annotations.NullMarked;
