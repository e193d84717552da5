package io.capoa.runtime.client;

import io.fabric8.kubernetes.client.dsl.Nameable;

/** The one way to an object by its name: the client itself would put any text into the request's path. */
public final class ByName {

    private ByName() {}

    /**
     * The object of that name among some objects of the client.
     *
     * @param objects such as {@code client.secrets().inNamespace(namespace)}
     * @throws InvalidNameException if the name is none; nothing is sent
     */
    public static <T> T select(Nameable<? extends T> objects, String name) {
        return objects.withName(ObjectName.require(name));
    }
}
