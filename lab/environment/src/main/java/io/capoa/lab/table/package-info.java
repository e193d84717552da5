/** Tables as {@code kubectl get} prints them, and their place in the documents. */
@NullMarked
package io.capoa.lab.table;

import org.jspecify.annotations.NullMarked;
