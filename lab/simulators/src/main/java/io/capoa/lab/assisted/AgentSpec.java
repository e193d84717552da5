package io.capoa.lab.assisted;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Key;
import io.capoa.lab.workload.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** Accepts and validates an Agent's spec. */
final class AgentSpec {

    private static final List<String> INSTALLER_FLAGS = List.of(
            "--append-karg",
            "--delete-karg",
            "-n",
            "--copy-network",
            "--network-dir",
            "--save-partlabel",
            "--save-partindex",
            "--image-url",
            "--image-file");

    /** The service's expression for a value; {@code +-=} in it is a range. */
    private static final Pattern INSTALLER_VALUE = Pattern.compile("^[A-Za-z0-9@!#$%*()_+-=//.,\";':{}\\[\\]]+$");

    private AgentSpec() {}

    /** Copies the spec to the host; whether anything has changed. */
    static boolean accept(Agent agent, HostRecord host) {
        HostRecord.Wish wish = new HostRecord.Wish(
                Fields.isTrue(agent, "spec", "approved"),
                text(agent, "role"),
                text(agent, "hostname"),
                text(agent, "ignitionConfigOverrides"),
                text(agent, "installerArgs"),
                Map.copyOf(Fields.map(agent, "spec", "nodeLabels")),
                text(agent, "installation_disk_id"));
        String name = Fields.string(agent, "spec", "clusterDeploymentName", "name");
        String namespace = Fields.string(agent, "spec", "clusterDeploymentName", "namespace");
        synchronized (host) {
            Key cluster = name == null ? null : new Key(namespace == null ? host.agent.namespace() : namespace, name);
            boolean rebound =
                    !host.state.isInstalling() && !host.state.isInstalled() && !Objects.equals(cluster, host.cluster);
            if (rebound) {
                host.cluster = cluster;
            }
            if (wish.equals(host.wish)) {
                return rebound;
            }
            host.sync = check(wish, host.inventory);
            host.wish = wish;
            return true;
        }
    }

    /** Validates what the service itself validates of an Agent's spec. */
    static SpecSync check(HostRecord.Wish wish, Map<String, Object> inventory) {
        if (!wish.disk().isEmpty() && !Inventory.disks(inventory).contains(wish.disk())) {
            return SpecSync.inputError("Requested installation disk is not part of the host's valid disks");
        }
        try {
            if (!wish.ignition().isEmpty()) {
                IgnitionMaps.parseOverride(wish.ignition());
            }
        } catch (IOException e) {
            return SpecSync.inputError(String.valueOf(e.getMessage()));
        }
        return wish.installerArgs().isEmpty() ? SpecSync.OK : arguments(wish.installerArgs());
    }

    /** The service compares everything that begins with a hyphen with its list of flags, values too. */
    private static SpecSync arguments(String json) {
        try {
            if (!(Json.parseAny(json) instanceof List<?> arguments)) {
                return SpecSync.inputError("installerArgs is not a JSON array");
            }
            for (Object each : arguments) {
                String argument = String.valueOf(each);
                if (!argument.startsWith("-")
                        && !INSTALLER_VALUE.matcher(argument).matches()) {
                    return SpecSync.inputError("found unexpected chars in value " + argument + " for installer");
                }
                if (argument.startsWith("-") && !INSTALLER_FLAGS.contains(argument)) {
                    return SpecSync.inputError("found unexpected flag %s for installer - allowed flags are [%s]"
                            .formatted(argument, String.join(" ", INSTALLER_FLAGS)));
                }
            }
            return SpecSync.OK;
        } catch (IOException e) {
            return SpecSync.inputError("installerArgs is not JSON");
        }
    }

    private static String text(Agent agent, String field) {
        String value = Fields.string(agent, "spec", field);
        return value == null ? "" : value;
    }
}
