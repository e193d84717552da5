/** Tenants of one management cluster, of whom one forges references to the objects of another. */
@NullMarked
package io.capoa.lab.tenants;

import org.jspecify.annotations.NullMarked;
