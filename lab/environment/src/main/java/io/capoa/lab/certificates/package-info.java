/** Certificates of the lab's servers. */
@NullMarked
package io.capoa.lab.certificates;

import org.jspecify.annotations.NullMarked;
