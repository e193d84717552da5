@NullMarked
package io.capoa.lint.manifest;

import org.jspecify.annotations.NullMarked;
