/** Tests of the decisions of an upgrade. */
package io.capoa.lab.extension;
