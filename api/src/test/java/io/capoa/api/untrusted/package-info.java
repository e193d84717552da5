@NullMarked
package io.capoa.api.untrusted;

import org.jspecify.annotations.NullMarked;
