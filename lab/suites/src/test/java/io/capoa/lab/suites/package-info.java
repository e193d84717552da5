@NullMarked
package io.capoa.lab.suites;

import org.jspecify.annotations.NullMarked;
