@NullMarked
package io.capoa.runtime.client;

import org.jspecify.annotations.NullMarked;
