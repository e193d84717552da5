/** Certificates of the lab's servers and clients. */
@NullMarked
package io.capoa.lab.certificates;

import org.jspecify.annotations.NullMarked;
