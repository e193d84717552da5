/** How HTTP clients find their way past proxies: by the variables of the environment. */
@NullMarked
package io.capoa.runtime.proxy;

import org.jspecify.annotations.NullMarked;
