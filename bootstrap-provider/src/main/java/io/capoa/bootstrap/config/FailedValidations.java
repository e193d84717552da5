package io.capoa.bootstrap.config;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The checks of assisted-service that a host does not meet ({@code status.validationsInfo}), and what to do about them. */
record FailedValidations(Agent agent, List<Failure> failures) {

    private static final int SHOWN = 5;
    private static final String OTHERWISE = "correct the host";

    /** One check; {@code message} is the service's. */
    record Failure(String id, String message) {}

    /** What helps with checks whose id matches; {@code %s} stands for the Agent's name. */
    private record Remedy(Pattern ids, String words) {
        Remedy(String ids, String words) {
            this(Pattern.compile(ids), words);
        }
    }

    private static final List<Remedy> REMEDIES = List.of(
            new Remedy(
                    "has-.*(memory|cpu|disk).*|sufficient-installation-disk-speed|.*compatible.*",
                    "give the host what it lacks, or mark its BareMetalHost as unhealthy and delete the Machine, so that"
                            + " another host is taken"),
            new Remedy(
                    "hostname-.*",
                    "let DHCP give the host another name, or set spec.hostname of Agent %s, or have new Machines named by"
                            + " hostnamePolicy: MachineName"),
            new Remedy("ntp-synced", "let the host reach an NTP server; additionalNTPSources names more of them"),
            new Remedy(
                    "container-images-available|release-.*|image-.*",
                    "let the host reach the registries, by proxy or mirrors where need be, and check the pull secret"),
            new Remedy(
                    "(api|apps|dns|release-domain).*resolved.*|.*wildcard.*", "correct the DNS records of the cluster"),
            new Remedy(
                    "belongs-to-.*|has-default-route|sufficient-.*requirement.*|mtu-.*|non-overlapping-.*|no-.*ip-.*",
                    "correct the host's network, static settings in its NMStateConfig"),
            new Remedy("connected|media-connected", "check the host's power, network and boot medium"));

    /** Reads them, group by group. */
    static FailedValidations of(Agent agent) {
        List<Failure> failures = new ArrayList<>();
        new TreeMap<>(Fields.map(agent, "status", "validationsInfo")).values().forEach(group -> {
            if (group instanceof List<?> validations) {
                validations.stream()
                        .filter(validation -> "failure".equals(Fields.any(validation, "status")))
                        .map(validation -> new Failure(
                                String.valueOf(Fields.any(validation, "id")),
                                String.valueOf(Fields.any(validation, "message"))))
                        .forEach(failures::add);
            }
        });
        return new FailedValidations(agent, List.copyOf(failures));
    }

    boolean isEmpty() {
        return failures.isEmpty();
    }

    /** {@code id: message} of each. */
    String words() {
        String shown = failures.stream()
                .limit(SHOWN)
                .map(failure -> failure.id() + ": " + failure.message())
                .collect(Collectors.joining("; "));
        int more = failures.size() - SHOWN;
        return more <= 0 ? shown : shown + "; and " + more + " more";
    }

    /** What to do, each thing once. */
    String remedies() {
        String remedies =
                failures.stream().map(this::remedy).distinct().limit(SHOWN).collect(Collectors.joining("; "));
        return remedies.isEmpty() ? OTHERWISE : remedies;
    }

    private String remedy(Failure failure) {
        return REMEDIES.stream()
                .filter(remedy -> remedy.ids().matcher(failure.id()).matches())
                .findFirst()
                .map(remedy -> remedy.words().replace("%s", agent.getMetadata().getName()))
                .orElse(OTHERWISE);
    }
}
