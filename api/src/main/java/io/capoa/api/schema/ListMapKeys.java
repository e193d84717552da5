package io.capoa.api.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The fields that identify the entries of a list, so that server-side apply gives each entry its own owner ({@code
 * x-kubernetes-list-type: map}). A list without this annotation has one owner as a whole.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface ListMapKeys {
    String[] value();
}
