package io.capoa.lab.conformance;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The result of a conformance check.
 *
 * @param provider name
 * @param breaches empty if it obeys the contract
 * @param log of its controller, if the check started one
 */
public record Verdict(String provider, List<Breach> breaches, Optional<Path> log) {

    public Verdict {
        breaches = breaches.stream().distinct().toList();
    }

    @Override
    public String toString() {
        if (breaches.isEmpty()) {
            return "Provider %s obeys the contract.".formatted(provider);
        }
        String list = breaches.stream().map(breach -> "- " + breach).collect(Collectors.joining("\n"));
        return "Provider %s breaks the contract of infrastructure providers (docs/onboarding-infrastructure.md):\n%s%s"
                .formatted(
                        provider,
                        list,
                        log.map(file -> "\nThe log of its controller is " + file + ".")
                                .orElse(""));
    }
}
