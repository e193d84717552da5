package io.capoa.bootstrap.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.runtime.assisted.FailedValidation;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailedValidationsTest {

    @Test
    void thoseThatFail_areListedByGroup_andTheirRemediesOnce() {
        FailedValidations failed = failed("""
                network: [{id: hostname-unique, status: failure, message: twin}, {id: connected, status: success, message: fine}]
                hardware: [{id: has-memory-for-role, status: failure, message: 8 GiB}, {id: has-cpu-cores-for-role, status: failure, message: 1 CPU}]
                """);

        assertThat(failed.words())
                .isEqualTo("has-memory-for-role: 8 GiB; has-cpu-cores-for-role: 1 CPU; hostname-unique: twin");
        assertThat(failed.remedies())
                .containsOnlyOnce("give the host what it lacks")
                .contains("spec.hostname of Agent a");
    }

    @ParameterizedTest
    @CsvSource({
        "has-min-valid-disks, give the host what it lacks",
        "hostname-valid, hostnamePolicy",
        "ntp-synced, additionalNTPSources",
        "container-images-available, pull secret",
        "apps-domain-name-resolved-correctly, DNS records",
        "belongs-to-machine-cidr, NMStateConfig",
        "has-default-route, NMStateConfig",
        "connected, power",
        "something-new, correct the host"
    })
    void everyCheckHasARemedy(String id, String remedy) {
        assertThat(failed("x: [{id: " + id + ", status: failure, message: m}]").remedies())
                .contains(remedy);
    }

    /** What a person has to correct is said at once; what assisted-service is still measuring is not. */
    @ParameterizedTest
    @CsvSource({
        "ntp-synced, true",
        "belongs-to-majority-group, true",
        "has-memory-for-role, false",
        "api-domain-name-resolved-correctly, false",
        "dns-wildcard-not-configured, false"
    })
    void onlyWhatIsMeasuredAgain_settles(String id, boolean settles) {
        assertThat(FailedValidations.settles(new FailedValidation(id, "m"))).isEqualTo(settles);
    }

    @Test
    void ofVeryMany_theFirstAreShown() {
        StringBuilder many = new StringBuilder("x: [");
        for (int i = 0; i < 8; i++) {
            many.append("{id: check-").append(i).append(", status: failure, message: m},");
        }

        assertThat(failed(many.append("]").toString()).words())
                .contains("check-4")
                .doesNotContain("check-5")
                .endsWith("and 3 more");
    }

    private static FailedValidations failed(String groups) {
        Agent agent = Serialization.unmarshal(
                "metadata: {name: a}\nstatus:\n  validationsInfo:\n" + groups.indent(4), Agent.class);
        return new FailedValidations(agent, FailedValidation.of(agent));
    }
}
