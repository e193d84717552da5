@NullMarked
package io.capoa.runtime.http;

import org.jspecify.annotations.NullMarked;
