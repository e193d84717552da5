/** What the package of the same name does, as specification. */
package io.capoa.lab.host;
