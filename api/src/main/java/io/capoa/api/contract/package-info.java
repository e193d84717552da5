/** Kinds that others own, as the providers read them: a class per kind and a view per kind. */
@NullMarked
package io.capoa.api.contract;

import org.jspecify.annotations.NullMarked;
