/** Certificates that the lab's servers show. */
@NullMarked
package io.capoa.lab.certificates;

import org.jspecify.annotations.NullMarked;
