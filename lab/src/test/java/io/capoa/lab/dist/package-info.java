/** What {@code config/release} builds: that it is whole, and that an API server takes it. */
package io.capoa.lab.dist;
