/** How references of Cluster API's contract are followed. */
@NullMarked
package io.capoa.runtime.contract;

import org.jspecify.annotations.NullMarked;
