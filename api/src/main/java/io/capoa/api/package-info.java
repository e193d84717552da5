/** What both API groups share. */
@NullMarked
package io.capoa.api;

import org.jspecify.annotations.NullMarked;
