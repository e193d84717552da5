package io.capoa.bootstrap.ignition;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An enabled systemd unit on the host. */
record Unit(String name, String contents) {

    /** The entry of {@code systemd.units} in Ignition 3.x. */
    ObjectNode toJson() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", name)
                .put("enabled", true)
                .put("contents", contents);
    }
}
