/** Our two providers as processes beside the lab. */
@NullMarked
package io.capoa.lab.provider;

import org.jspecify.annotations.NullMarked;
