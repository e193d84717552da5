@NullMarked
package io.capoa.lab.page;

import org.jspecify.annotations.NullMarked;
