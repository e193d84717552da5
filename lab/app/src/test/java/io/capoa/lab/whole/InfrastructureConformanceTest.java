package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.conformance.ExampleDescription;
import io.capoa.lab.conformance.ProviderDescriptions;
import io.capoa.lab.conformance.ProviderUnderTest;
import io.capoa.lab.conformance.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The providers of the lab obey the contract of infrastructure providers, and so does one that the lab does not know, which
 * runs as a program of its own; each rule that such a program breaks is reported.
 */
@Tag("full")
@Tag("whole")
@SideBySide
@ResourceLock("definitions of the example provider")
@ExtendWith(WholeLab.Shared.class)
class InfrastructureConformanceTest {

    private static final Path ROOT = ProjectRoot.find();

    @TempDir
    private Path folder;

    static Stream<ProviderUnderTest> providersOfTheLab() {
        return new ProviderDescriptions(ROOT, ROOT).select("").stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("providersOfTheLab")
    void aProviderOfTheLab_obeysTheContract(ProviderUnderTest provider, WholeLab lab) {
        assertObeys(lab.check(provider));
    }

    @Test
    void aForeignProvider_obeysTheContract(WholeLab lab) throws IOException {
        assertObeys(lab.check(example(List.of())));
    }

    @Test
    void aForeignProvider_isRed_withEachRuleThatItBreaks(WholeLab lab) throws IOException {
        Verdict verdict = lab.check(example(List.of("no-address", "ignores-pause", "slow")));

        assertThat(verdict.breaches()).isNotEmpty();
        assertThat(verdict.toString())
                .startsWith("Provider example breaks the contract")
                .contains(
                        "- ExampleMachine external-worker-",
                        "status.addresses has no InternalIP, by which the Node of a removed control plane is recognised",
                        "The log of its controller is ")
                // It breaks both rules; by which it is found depends on how slow it is.
                .containsPattern(
                        "it was removed while (it had annotation cluster.x-k8s.io/paused|spec.paused of its Cluster was true)");
    }

    @Test
    void aForeignProvider_thatRemovesTheObjectBeforeTheInstance_isRed(WholeLab lab) throws IOException {
        assertThat(lab.check(example(List.of("leaks-instance"))).breaches())
                .singleElement()
                .asString()
                .contains(
                        "it was removed while its instance example://a/i-", "remove the finalizer after the instance");
    }

    @Test
    void aForeignProvider_thatProvisionsTooEarly_isRedAtOnce(WholeLab lab) throws IOException {
        assertThat(lab.check(example(List.of("early"), "afterMachines: 2")).toString())
                .contains(
                        "ExampleMachine external-worker-",
                        "it was provisioned before Machine.spec.bootstrap.dataSecretName was set: the instance has no user data",
                        "its installation was given up: a host has nothing to boot");
    }

    private static void assertObeys(Verdict verdict) {
        assertThat(verdict.breaches()).as(verdict.toString()).isEmpty();
    }

    private ProviderUnderTest example(List<String> faults) throws IOException {
        return example(faults, "region: lab-north");
    }

    private ProviderUnderTest example(List<String> faults, String network) throws IOException {
        return new ProviderDescriptions(ROOT, folder)
                .select(ExampleDescription.write(folder, faults, network).toString())
                .getFirst();
    }
}
