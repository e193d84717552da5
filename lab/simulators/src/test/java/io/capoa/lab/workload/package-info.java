/** Tests of the simulated workload clusters. */
package io.capoa.lab.workload;
