@NullMarked
package io.capoa.api.client;

import org.jspecify.annotations.NullMarked;
