@NullMarked
package io.capoa.lab.hostile;

import org.jspecify.annotations.NullMarked;
