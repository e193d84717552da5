/** Choice of the installation disk by hints, of config and BareMetalHost. */
@NullMarked
package io.capoa.api.rules.disk;

import org.jspecify.annotations.NullMarked;
