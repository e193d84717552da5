package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.steady.SetClock;
import io.capoa.runtime.lookup.LookupResult;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registries with certificates of their own, layers that are kept elsewhere, and tags that move. */
class RegistryTrustTest {

    private static final ResourceID ONE = new ResourceID("one", "ns");

    private final SetClock clock = new SetClock();
    private final BlockingQueue<ResourceID> called = new LinkedBlockingQueue<>();
    private TlsRegistry registry;
    private Releases releases;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws Exception {
        registry = TlsRegistry.start(directory, "+0d");
        registry.serve("4.20.3", "1.33.5");
        releases = Releases.start(
                RegistryAccess.direct(), clock, RegistryBackoff.standard(), RegistryLimits.standard(), Map.of());
        releases.onChange(called::add);
    }

    @AfterEach
    void stop() {
        releases.close();
        registry.close();
    }

    @Test
    void theCertificatesOfTheCluster_letItsRegistryBeTrusted() throws InterruptedException {
        LookupResult<Release> untrusted = settled(RegistryAccess.direct());
        assertThat(untrusted).isInstanceOf(LookupResult.Failed.class);
        assertThat(((LookupResult.Failed<Release>) untrusted).message())
                .contains("registry " + registry.address(), "the trusted certificates");

        assertThat(version(settled(trusting()))).isEqualTo("4.20.3");
    }

    @Test
    void aCertificateThatHasExpired_isNotTrusted_asTheHostsDoNotTrustIt() throws Exception {
        registry.close();
        registry = TlsRegistry.start(Files.createDirectory(directory.resolve("expired")), "-10d");
        registry.serve("4.20.3", "1.33.5");

        LookupResult<Release> expired = settled(trusting());

        assertThat(expired).isInstanceOf(LookupResult.Failed.class);
        assertThat(((LookupResult.Failed<Release>) expired).message()).contains("CN=registry has expired on 20");
        assertThat(registry.requests).isEmpty();
    }

    @Test
    void aLayerThatIsKeptElsewhere_isFetchedThere_withoutThePassword() throws InterruptedException {
        assertThat(version(settled(trusting()))).isEqualTo("4.20.3");
        assertThat(registry.seenByStorage).containsExactly("null");
        assertThat(registry.requests).hasSizeLessThanOrEqualTo(6);
    }

    @Test
    void aTagThatMayHaveMoved_serves_andIsLookedAtAgainMeanwhile() throws Exception {
        settled(trusting());
        registry.serve("4.20.4", "1.33.6");
        assertThat(version(lookup(trusting()))).isEqualTo("4.20.3");
        clock.advance(Duration.ofHours(25));
        assertThat(version(lookup(trusting()))).as("without waiting").isEqualTo("4.20.3");
        assertThat(called.poll(20, TimeUnit.SECONDS)).isEqualTo(ONE);
        assertThat(version(lookup(trusting()))).isEqualTo("4.20.4");
    }

    @Test
    void whatSomebodyRemembers_isNotAskedAgain_exceptInAnotherWay() {
        Release release = new Release("localhost/r@sha256:" + "a".repeat(64), "4.20.3", "1.33.5", List.of());
        releases.recall(image(), trusting(), release, clock.instant());
        assertThat(version(lookup(trusting()))).isEqualTo("4.20.3");
        assertThat(registry.requests).isEmpty();
        assertThat(lookup(new RegistryAccess(RegistryMirrors.none(), "")))
                .as("mirrors may hold something else")
                .isInstanceOf(LookupResult.Pending.class);
    }

    private LookupResult<Release> settled(RegistryAccess access) throws InterruptedException {
        LookupResult<Release> result = lookup(access);
        // A notice may still be that of an earlier lookup, which is repeated when it has failed.
        while (result instanceof LookupResult.Pending<Release>) {
            assertThat(called.poll(20, TimeUnit.SECONDS)).isEqualTo(ONE);
            result = lookup(access);
        }
        return result;
    }

    private LookupResult<Release> lookup(RegistryAccess access) {
        String login = Base64.getEncoder().encodeToString("u:p".getBytes(StandardCharsets.UTF_8));
        PullSecret secret = PullSecret.parse("{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}"
                .formatted(registry.address(), login)
                .getBytes(StandardCharsets.UTF_8));
        return releases.lookup(ONE, new ReleaseRequest(image(), secret, access));
    }

    private String image() {
        return registry.address() + "/ocp/release:4.20";
    }

    private RegistryAccess trusting() {
        return new RegistryAccess(RegistryMirrors.none(), registry.certificate());
    }

    private static String version(LookupResult<Release> lookup) {
        return lookup instanceof LookupResult.Known<Release> known
                ? known.value().version()
                : lookup.toString();
    }
}
