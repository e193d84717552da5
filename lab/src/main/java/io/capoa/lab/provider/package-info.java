/** Our two providers: what runs for their images, and how they are installed from the release. */
@NullMarked
package io.capoa.lab.provider;

import org.jspecify.annotations.NullMarked;
