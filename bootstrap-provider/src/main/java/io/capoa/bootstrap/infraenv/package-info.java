/** The InfraEnv of a Machine. */
@NullMarked
package io.capoa.bootstrap.infraenv;

import org.jspecify.annotations.NullMarked;
