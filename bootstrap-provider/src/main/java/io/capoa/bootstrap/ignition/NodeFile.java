package io.capoa.bootstrap.ignition;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A file on the host, owned by root, that replaces what was there.
 *
 * @param mode permission bits, such as {@code 0755}
 */
record NodeFile(String path, int mode, String content) {

    static final int PROGRAM = 0755;
    static final int PRIVATE_PROGRAM = 0700;
    static final int VALUE = 0644;
    static final int PRIVATE_VALUE = 0600;

    /** The entry of {@code storage.files} in Ignition 3.x. */
    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("path", path);
        json.put("overwrite", true);
        json.putObject("user").put("name", "root");
        json.putObject("contents")
                .put(
                        "source",
                        "data:text/plain;charset=utf-8;base64,"
                                + Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8)));
        json.put("mode", mode);
        return json;
    }
}
