/** Tests of the node without containers. */
package io.capoa.lab.pods;
