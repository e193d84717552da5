package io.capoa.runtime.http;

import java.io.IOException;

/** Answers the requests of one server. */
@FunctionalInterface
public interface HttpCallHandler {

    /**
     * Answers one request; called in the thread of its connection.
     *
     * @throws MalformedCall is answered with its status, and closes the connection
     * @throws IOException closes the connection
     */
    HttpAnswer answer(HttpCall call) throws IOException, MalformedCall;
}
