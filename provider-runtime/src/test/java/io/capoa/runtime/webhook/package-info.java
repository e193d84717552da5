@NullMarked
package io.capoa.runtime.webhook;

import org.jspecify.annotations.NullMarked;
