/** Tests of the installation from the release. */
package io.capoa.lab.provider;
