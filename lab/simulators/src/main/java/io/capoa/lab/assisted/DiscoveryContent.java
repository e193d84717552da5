package io.capoa.lab.assisted;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.NMStateConfig;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.LabelSelector;
import io.capoa.lab.workload.Json;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the service has read for a discovery ignition. It is read when the InfraEnv is reconciled, so that an ignition
 * follows changes later.
 *
 * @param spec of the InfraEnv
 * @param network {@code spec} of the NMStateConfigs of all namespaces that the InfraEnv selects
 */
record DiscoveryContent(Map<String, Object> spec, List<Map<String, Object>> network) {

    private static final String OVERRIDE = "ignitionConfigOverride";
    private static final String SELECTOR = "nmStateConfigLabelSelector";

    /**
     * Reads the present objects.
     *
     * @param before what was read last: an override is replaced, but not removed
     */
    static DiscoveryContent of(InfraEnv infraEnv, Stream<NMStateConfig> all, @Nullable DiscoveryContent before) {
        Map<String, Object> spec = new LinkedHashMap<>(Fields.map(infraEnv, "spec"));
        if (before != null && before.spec.get(OVERRIDE) instanceof String override) {
            spec.putIfAbsent(OVERRIDE, override);
        }
        LabelSelector selector = selector(infraEnv);
        return new DiscoveryContent(
                spec,
                selector.isEmpty()
                        ? List.of()
                        : all.filter(selector::matches)
                                .sorted(Comparator.comparing(
                                        config -> Key.of(config).toString()))
                                .map(config -> Fields.map(config, "spec"))
                                .toList());
    }

    /** Whether a change of the NMStateConfig has the InfraEnv reconciled: in its namespace alone, by a common label. */
    static boolean isFollowed(NMStateConfig config, InfraEnv infraEnv) {
        Map<String, String> labels = config.getMetadata().getLabels();
        return labels != null
                && config.getMetadata()
                        .getNamespace()
                        .equals(infraEnv.getMetadata().getNamespace())
                && selector(infraEnv).matchLabels().entrySet().stream()
                        .anyMatch(e -> e.getValue().equals(labels.get(String.valueOf(e.getKey()))));
    }

    /** Checks what the service checks when it reads an InfraEnv; throws {@link IOException} with its message. */
    void check() throws IOException {
        String override = text(OVERRIDE);
        if (override != null) {
            IgnitionMaps.parseOverride(override);
        }
        for (Object argument : list("kernelArguments")) {
            Object operation = Fields.any(argument, "operation");
            if (!"append".equals(operation)) {
                throw new IOException("Only kernel argument operation append is supported.  Got " + operation);
            }
        }
        String keys = text("sshAuthorizedKey");
        String problem = keys == null ? "" : SshKeys.problem(keys);
        if (!problem.isEmpty()) {
            throw new IOException(problem);
        }
    }

    /** A text of the spec. */
    @Nullable
    String text(String field) {
        return spec.get(field) instanceof String text ? text : null;
    }

    /** The files of the static network, in an ignition of type full-iso. */
    List<Map<String, Object>> networkFiles(int mode) {
        Stream.Builder<Map<String, Object>> files = Stream.builder();
        for (int i = 0; i < network.size() && "full-iso".equals(text("imageType")); i++) {
            String directory = "/etc/assisted/network/host" + i + "/";
            StringBuilder macs = new StringBuilder();
            if (network.get(i).get("interfaces") instanceof List<?> interfaces) {
                interfaces.forEach(each -> macs.append(Fields.any(each, "macAddress"))
                        .append('=')
                        .append(Fields.any(each, "name"))
                        .append('\n'));
            }
            files.add(IgnitionMaps.file(directory + "mac_interface.ini", mode, macs.toString()));
            files.add(IgnitionMaps.file(
                    directory + "ymlFile.yaml", mode, Json.text(network.get(i).getOrDefault("config", Map.of()))));
        }
        return files.build().toList();
    }

    private List<?> list(String field) {
        return spec.get(field) instanceof List<?> list ? list : List.of();
    }

    private static LabelSelector selector(InfraEnv infraEnv) {
        return LabelSelector.of(Fields.map(infraEnv, "spec", SELECTOR));
    }
}
