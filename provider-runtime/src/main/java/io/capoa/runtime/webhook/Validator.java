package io.capoa.runtime.webhook;

import io.capoa.api.rules.Findings;
import org.jspecify.annotations.Nullable;

/** Validation rules of a kind beyond its schema: a pure function. */
@FunctionalInterface
public interface Validator<R> {

    /** Collects errors, and warnings about values that are legal but probably not intended. */
    void validate(Change<R> change, Findings findings);

    /**
     * An object that is to be stored.
     *
     * @param before what it replaces; {@code null} for a new one
     */
    record Change<R>(R object, @Nullable R before) {}
}
