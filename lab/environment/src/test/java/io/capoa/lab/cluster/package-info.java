/** Tests of the API server for tests and lab. */
@NullMarked
package io.capoa.lab.cluster;

import org.jspecify.annotations.NullMarked;
