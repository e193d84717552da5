/** Foreign kinds that the providers read: a class and a read view per kind. */
@NullMarked
package io.capoa.api.contract;

import org.jspecify.annotations.NullMarked;
