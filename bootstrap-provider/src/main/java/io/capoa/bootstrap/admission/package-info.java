/** What the API server is told about configs and their templates before it stores them. */
@NullMarked
package io.capoa.bootstrap.admission;

import org.jspecify.annotations.NullMarked;
