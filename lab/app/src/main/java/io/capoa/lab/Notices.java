package io.capoa.lab;

import java.util.function.Consumer;

/**
 * Who is told what the lab does.
 *
 * @param restarted receives a sentence when a container has ended unexpectedly
 * @param step receives what the start does next, such as "waiting until bootstrap-provider is available"
 */
public record Notices(Consumer<String> restarted, Consumer<String> step) {

    /** Nobody follows the steps. */
    public static Notices of(Consumer<String> restarted) {
        return new Notices(restarted, step -> {});
    }
}
