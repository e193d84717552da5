package io.capoa.runtime.webhook;

import java.util.Map;

/**
 * How long and how many connections the process's HTTP servers bear. The JDK's server takes these as system properties
 * and reads them once, when the first server is made; what the command line of the JVM says stays.
 */
public final class ServerLimits {

    /** Seconds and counts; an API server closes an idle connection after 90 s, before we would. */
    private static final Map<String, String> LIMITS = Map.of(
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "20",
            "sun.net.httpserver.idleInterval", "120",
            "sun.net.httpserver.nodelay", "true",
            "jdk.httpserver.maxConnections", "512");

    private ServerLimits() {}

    /** Call before a server is made. */
    public static void apply() {
        LIMITS.forEach((property, value) -> {
            if (System.getProperty(property) == null) {
                System.setProperty(property, value);
            }
        });
    }
}
