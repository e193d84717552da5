package io.capoa.lab.assisted;

import io.capoa.lab.assisted.HostValidations.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Validations of what a host's DNS says of its cluster. The service gives the host the names to resolve, and compares
 * nothing until it has the answer.
 *
 * @param domain of the cluster, such as {@code prod.example.com}
 * @param needed whether the hosts find the cluster by DNS: its networks are the user's, and it is not the day-1 cluster of
 *     a single node, which resolves its own names
 * @param joins whether the host joins a running cluster
 */
record DomainChecks(String domain, boolean needed, boolean joins) {

    private static final String NETWORK = "network";
    private static final String NO_RECORD = "validateNoWildcardDNS.";

    /** The names that the host is to resolve; with a final dot it searches no domains for it. */
    List<String> names() {
        return List.of(
                name("api"), name("api-int"), name("console-openshift-console.apps"), wildcard(), wildcard() + ".");
    }

    /**
     * The validations.
     *
     * @param resolved addresses by name, as the host replied; {@code null} before
     */
    List<Validation> of(@Nullable Map<String, List<String>> resolved) {
        List<Validation> all = new ArrayList<>();
        if (needed) {
            all.add(record("api", name("api"), name("api"), "API load balancer", resolved));
            all.add(record("api-int", name("api-int"), name("api-int"), "internal API load balancer", resolved));
            all.add(record(
                    "apps", name("console-openshift-console.apps"), name("*.apps"), "application ingress", resolved));
        }
        if (!joins) {
            all.add(noWildcard(resolved));
        }
        return all;
    }

    private Validation record(
            String id, String name, String shown, String target, @Nullable Map<String, List<String>> resolved) {
        String validation = id + "-domain-name-resolved-correctly";
        if (resolved == null) {
            return new Validation(
                    NETWORK, validation, Validation.ERROR, "Error while evaluating DNS resolution on this host");
        }
        return resolved.getOrDefault(name, List.of()).isEmpty()
                ? new Validation(
                        NETWORK,
                        validation,
                        Validation.FAILURE,
                        ("Couldn't resolve domain name %s on the host. To continue installation, create the necessary DNS"
                                        + " entries to resolve this domain name to your cluster's %s IP address")
                                .formatted(shown, target))
                : new Validation(
                        NETWORK,
                        validation,
                        Validation.SUCCESS,
                        "Domain name resolution for the " + shown + " domain was successful or not required");
    }

    private Validation noWildcard(@Nullable Map<String, List<String>> resolved) {
        String id = "dns-wildcard-not-configured";
        if (resolved == null) {
            return new Validation(
                    NETWORK,
                    id,
                    Validation.PENDING,
                    "DNS wildcard check cannot be performed yet because the host has not yet performed DNS resolution");
        }
        List<String> found = resolved.getOrDefault(wildcard() + ".", List.of());
        return found.isEmpty()
                ? new Validation(NETWORK, id, Validation.SUCCESS, "DNS wildcard check was successful")
                : new Validation(
                        NETWORK,
                        id,
                        Validation.FAILURE,
                        ("DNS wildcard configuration was detected for domain *.%s - the installation will not be able to"
                                        + " complete while this record exists. Please remove it to proceed. The domain"
                                        + " resolves to %s")
                                .formatted(domain, String.join(", ", found)));
    }

    private String wildcard() {
        return NO_RECORD + domain;
    }

    private String name(String of) {
        return of + "." + domain;
    }
}
