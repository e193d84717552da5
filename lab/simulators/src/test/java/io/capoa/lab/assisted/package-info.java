/** Tests of the simulated assisted-service. */
package io.capoa.lab.assisted;
