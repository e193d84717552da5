package io.capoa.runtime.untrusted;

/**
 * Maximum size of a response, as a tag of the request.
 *
 * @param bytes of its body
 */
public record AnswerLimit(long bytes) {}
