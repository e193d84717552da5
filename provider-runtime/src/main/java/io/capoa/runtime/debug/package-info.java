/** What a person may ask a running manager: its threads and its log level. */
@NullMarked
package io.capoa.runtime.debug;

import org.jspecify.annotations.NullMarked;
