package io.capoa.lab.assisted;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The discovery ignition: starts the agent with the service's URL and a token. */
final class DiscoveryIgnition {

    private static final int PRIVATE = 0600;
    private static final int READABLE = 0644;
    private static final String AGENT_UNIT = """
        [Service]
        Type=simple
        Restart=always
        RestartSec=3
        StartLimitInterval=0
        Environment=HTTP_PROXY=
        Environment=http_proxy=
        Environment=HTTPS_PROXY=
        Environment=https_proxy=
        Environment=NO_PROXY=
        Environment=no_proxy=
        Environment=PULL_SECRET_TOKEN=@TOKEN@
        TimeoutStartSec=180
        ExecStart=/usr/local/bin/agent --url @URL@ --infra-env-id @INFRA_ENV@ --agent-version quay.io/edge-infrastructure/assisted-installer-agent:latest --insecure=false

        [Unit]
        Wants=network-online.target
        After=network-online.target

        [Install]
        WantedBy=multi-user.target
        """;

    private DiscoveryIgnition() {}

    /**
     * Throws {@link IOException} if the InfraEnv's override is not an ignition config.
     *
     * @param token of the agent; empty without authentication
     */
    static Map<String, Object> of(Backend.InfraEnvRecord accepted, String url, String token) throws IOException {
        DiscoveryContent content = accepted.content();
        List<Map<String, Object>> files = new ArrayList<>();
        files.add(IgnitionMaps.file("/root/.docker/config.json", PRIVATE, accepted.pullSecret()));
        files.add(IgnitionMaps.file(
                "/etc/motd", READABLE, "This is a host being installed by the assisted installer.\n"));
        String bundle = content.text("additionalTrustBundle");
        if (bundle != null) {
            files.add(IgnitionMaps.file("/etc/pki/ca-trust/source/anchors/assisted-infraenv.pem", PRIVATE, bundle));
        }
        files.addAll(content.networkFiles(PRIVATE));
        Map<String, Object> config = IgnitionMaps.config(
                files, List.of(IgnitionMaps.unit("agent.service", agentUnit(token, url, accepted.id()))));
        Map<String, Object> user = new LinkedHashMap<>(Map.of("name", "core", "groups", List.of("sudo")));
        String sshKey = content.text("sshAuthorizedKey");
        if (sshKey != null) {
            user.put("sshAuthorizedKeys", List.of(sshKey));
        }
        config.put("passwd", Map.of("users", List.of(user)));
        String override = content.text("ignitionConfigOverride");
        return override == null ? config : IgnitionMaps.override(config, override);
    }

    private static String agentUnit(String token, String url, String infraEnvId) {
        String unit = token.isEmpty() ? AGENT_UNIT.replace("Environment=PULL_SECRET_TOKEN=@TOKEN@\n", "") : AGENT_UNIT;
        return unit.replace("@TOKEN@", token).replace("@URL@", url).replace("@INFRA_ENV@", infraEnvId);
    }
}
