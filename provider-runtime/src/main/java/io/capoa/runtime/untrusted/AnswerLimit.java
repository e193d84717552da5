package io.capoa.runtime.untrusted;

/**
 * How large the answer to one request may be; a tag of the request.
 *
 * @param bytes of its body
 */
public record AnswerLimit(long bytes) {}
