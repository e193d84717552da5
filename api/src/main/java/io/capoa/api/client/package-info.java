/** What every client of an API server needs over okhttp, which its user brings. */
@NullMarked
package io.capoa.api.client;

import org.jspecify.annotations.NullMarked;
