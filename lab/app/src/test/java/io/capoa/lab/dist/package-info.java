/** The result of {@code config/release}: complete, and accepted by an API server. */
package io.capoa.lab.dist;
