package io.capoa.controlplane.extension;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** Lists the handlers of the extension for Cluster API. */
final class Discovery {

    private static final int TIMEOUT_SECONDS = 10;

    private Discovery() {}

    /**
     * The handlers. Their failure policy is Fail: with Ignore, Cluster API takes an extension that does not answer for
     * one that cannot update in place, and reinstalls the hosts.
     */
    static HookResponse response() {
        ArrayNode handlers = JsonNodeFactory.instance.arrayNode();
        for (Hook hook : Hook.values()) {
            handlers.addObject()
                    .put("name", hook.handler())
                    .put("timeoutSeconds", TIMEOUT_SECONDS)
                    .put("failurePolicy", "Fail")
                    .putObject("requestHook")
                    .put("apiVersion", Hook.API_VERSION)
                    .put("hook", hook.title());
        }
        return HookResponse.success().with("handlers", handlers);
    }
}
