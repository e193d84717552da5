/** The page: racks, clusters, what they wait for and how long each step took, in a browser on this machine. */
@NullMarked
package io.capoa.lab.page;

import org.jspecify.annotations.NullMarked;
