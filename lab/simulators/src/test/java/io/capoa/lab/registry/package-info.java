/** Tests of the simulated release registry. */
package io.capoa.lab.registry;
