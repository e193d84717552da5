/** Our two providers: the programs for their images, and their installation from the release. */
@NullMarked
package io.capoa.lab.provider;

import org.jspecify.annotations.NullMarked;
