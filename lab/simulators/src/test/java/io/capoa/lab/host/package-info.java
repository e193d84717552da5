/** Tests of the simulated hosts. */
package io.capoa.lab.host;
