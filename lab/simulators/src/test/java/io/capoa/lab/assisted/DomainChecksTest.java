package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.assisted.HostValidations.Validation;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the service says of DNS, by whose networks they are and by what the host has replied. */
class DomainChecksTest {

    private static final String API = "api-domain-name-resolved-correctly";
    private static final String WILDCARD = "dns-wildcard-not-configured";
    private static final List<String> ADDRESS = List.of("192.0.2.10");

    @Test
    void beforeTheHostHasReplied_nothingHasFailed() {
        assertThat(statuses(new DomainChecks("c.test", true, false).of(null)))
                .hasSize(4)
                .containsEntry(API, Validation.ERROR)
                .containsEntry(WILDCARD, Validation.PENDING);
    }

    @Test
    void namesAreRequired_whereTheNetworksAreTheUsers() {
        Map<String, List<String>> api = Map.of("api.c.test", ADDRESS, "api-int.c.test", List.of());

        assertThat(statuses(new DomainChecks("c.test", true, false).of(api)))
                .containsEntry(API, Validation.SUCCESS)
                .containsEntry("api-int-domain-name-resolved-correctly", Validation.FAILURE)
                .containsEntry("apps-domain-name-resolved-correctly", Validation.FAILURE)
                .containsEntry(WILDCARD, Validation.SUCCESS);
        assertThat(statuses(new DomainChecks("c.test", false, false).of(api))).containsOnlyKeys(WILDCARD);
    }

    @Test
    void aWildcardRecordIsRefused_exceptOfAHostThatJoins() {
        Map<String, List<String>> any = Map.of("validateNoWildcardDNS.c.test.", ADDRESS);

        assertThat(statuses(new DomainChecks("c.test", false, false).of(any)))
                .containsExactly(Map.entry(WILDCARD, Validation.FAILURE));
        assertThat(new DomainChecks("c.test", false, true).of(any)).isEmpty();
    }

    private static Map<String, String> statuses(List<Validation> validations) {
        return validations.stream().collect(Collectors.toMap(Validation::id, Validation::status));
    }
}
