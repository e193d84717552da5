/** The stand-in for cert-manager. */
package io.capoa.lab.certmanager;
