/** Two tenants of a management cluster: one forges references to the objects of the other. */
@NullMarked
package io.capoa.lab.tenants;

import org.jspecify.annotations.NullMarked;
