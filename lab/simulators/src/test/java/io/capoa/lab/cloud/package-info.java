/** Tests of the simulated cloud. */
package io.capoa.lab.cloud;
