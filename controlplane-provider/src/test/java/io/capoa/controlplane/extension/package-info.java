@org.jspecify.annotations.NullMarked
package io.capoa.controlplane.extension;
