/** How the providers are installed from their release. */
package io.capoa.lab.provider;
