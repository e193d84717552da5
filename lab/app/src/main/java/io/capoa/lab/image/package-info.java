/** The providers' images: built without a container engine, unpacked, and run under bubblewrap. */
@org.jspecify.annotations.NullMarked
package io.capoa.lab.image;
