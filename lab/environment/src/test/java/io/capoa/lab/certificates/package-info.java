/** Tests of the lab's certificates. */
@NullMarked
package io.capoa.lab.certificates;

import org.jspecify.annotations.NullMarked;
