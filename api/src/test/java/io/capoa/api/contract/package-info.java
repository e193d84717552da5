/** The read views return what is set and nothing for what is not. */
@NullMarked
package io.capoa.api.contract;

import org.jspecify.annotations.NullMarked;
