package io.capoa.bootstrap.agent;

import io.capoa.api.contract.Agent;
import io.capoa.runtime.assisted.FailedValidation;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Failed validations of a host, with the remedy for each. */
public record FailedValidations(Agent agent, List<FailedValidation> failures) {

    private static final int SHOWN = 5;
    private static final String OTHERWISE = "correct the host";

    /**
     * What helps with checks.
     *
     * @param ids of the checks
     * @param settles whether such a check may pass without help, once the host has measured, reached or downloaded more
     * @param words what to do; {@code %s} stands for the Agent's name
     */
    private record Remedy(Pattern ids, boolean settles, String words) {
        Remedy(String ids, boolean settles, String words) {
            this(Pattern.compile(ids), settles, words);
        }
    }

    private static final List<Remedy> REMEDIES = List.of(
            new Remedy(
                    "has-.*(memory|cpu|disk).*|sufficient-installation-disk-speed|.*compatible.*",
                    false,
                    "give the host what it lacks, or mark its BareMetalHost as unhealthy and delete the Machine, so that"
                            + " another host is taken"),
            new Remedy(
                    "hostname-.*",
                    false,
                    "let DHCP give the host another name, or set spec.hostname of Agent %s, or have new Machines named by"
                            + " hostnamePolicy: MachineName"),
            new Remedy("ntp-synced", true, "let the host reach an NTP server; additionalNTPSources names more of them"),
            new Remedy(
                    "container-images-available|release-.*|image-.*|ignition-.*",
                    true,
                    "let the host reach the registries, by proxy or mirrors where need be, and check the pull secret"),
            new Remedy(
                    "(api|apps|dns|release-domain).*resolved.*|.*wildcard.*",
                    false,
                    "correct the DNS records of the cluster"),
            new Remedy(
                    "belongs-to-.*|has-default-route|sufficient-.*requirement.*|mtu-.*|non-overlapping-.*|no-.*ip-.*",
                    true,
                    "correct the host's network, static settings in its NMStateConfig"),
            new Remedy("connected|media-connected", true, "check the host's power, network and boot medium"));

    /** Whether a check may pass without help; that is assumed of an unknown one, and not of what names no check. */
    public static boolean settles(FailedValidation check) {
        return !check.id().isEmpty() && of(check).map(Remedy::settles).orElse(true);
    }

    /** {@code id: message} of each. */
    String words() {
        String shown =
                failures.stream().limit(SHOWN).map(FailedValidation::toString).collect(Collectors.joining("; "));
        int more = failures.size() - SHOWN;
        return more <= 0 ? shown : shown + "; and " + more + " more";
    }

    /** What to do, each thing once. */
    String remedies() {
        String remedies =
                failures.stream().map(this::remedy).distinct().limit(SHOWN).collect(Collectors.joining("; "));
        return remedies.isEmpty() ? OTHERWISE : remedies;
    }

    private String remedy(FailedValidation failure) {
        return of(failure)
                .map(remedy -> remedy.words().replace("%s", agent.getMetadata().getName()))
                .orElse(OTHERWISE);
    }

    private static Optional<Remedy> of(FailedValidation failure) {
        return REMEDIES.stream()
                .filter(remedy -> remedy.ids().matcher(failure.id()).matches())
                .findFirst();
    }
}
