package io.capoa.runtime.status;

/**
 * What keeps an object from making progress, as a condition shows it.
 *
 * @param reason condition reason, in CamelCase
 * @param message names the object that is in the way and, where the user has to act, the next step
 */
public record Blocker(String reason, String message) {}
