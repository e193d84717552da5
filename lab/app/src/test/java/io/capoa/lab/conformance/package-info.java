@NullMarked
package io.capoa.lab.conformance;

import org.jspecify.annotations.NullMarked;
