package io.capoa.api.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An object that server-side apply replaces as a whole ({@code x-kubernetes-map-type: atomic}): half of one reference
 * and half of another is no reference.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.RECORD_COMPONENT})
public @interface Atomic {}
