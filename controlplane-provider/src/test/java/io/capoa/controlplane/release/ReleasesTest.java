package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.registry.ReleaseRegistry;
import io.capoa.lab.registry.SyntheticImage;
import io.capoa.lab.registry.SyntheticImage.Entry;
import io.capoa.lab.registry.SyntheticRelease;
import io.capoa.runtime.lookup.LookupResult;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resolution of releases with a registry that implements the real protocol. */
class ReleasesTest {

    private static final ResourceID ONE = new ResourceID("one", "default");
    private static final ResourceID OTHER = new ResourceID("other", "default");
    private static final String IMAGE = ReleaseReference.image("4.20.0", null, "multi");

    private final ReleaseRegistry registry = ReleaseRegistry.start(Delays.none());
    private final Queue<ResourceID> called = new ConcurrentLinkedQueue<>();
    private Releases releases = service(access(registry));

    @BeforeEach
    void listen() {
        releases.onChange(called::add);
    }

    @AfterEach
    void stop() {
        releases.close();
        registry.close();
    }

    private static Releases service(RegistryAccess access) {
        var backoff = new RegistryBackoff(Duration.ofMillis(50), Duration.ofMillis(200), RandomGenerator.getDefault());
        return Releases.start(access, Clock.systemUTC(), backoff);
    }

    private static RegistryAccess access(ReleaseRegistry registry) {
        return new RegistryAccess(RegistryMirrors.parse(registry.registriesConf()), "");
    }

    private static PullSecret secret(String entry) {
        return PullSecret.parse(("{\"auths\":{" + entry + "}}").getBytes(StandardCharsets.UTF_8));
    }

    private LookupResult<Release> settled(ReleaseRequest request) {
        await().atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !(releases.lookup(ONE, request) instanceof LookupResult.Pending<Release>));
        return releases.lookup(ONE, request);
    }

    private Release known(ReleaseRequest request) {
        assertThat(settled(request)).isInstanceOf(LookupResult.Known.class);
        return ((LookupResult.Known<Release>) settled(request)).value();
    }

    private LookupResult.Failed<Release> failed(ReleaseRequest request) {
        assertThat(settled(request)).isInstanceOf(LookupResult.Failed.class);
        return (LookupResult.Failed<Release>) settled(request);
    }

    @Test
    void aNewReleaseTakesThreeRequestsAndAKnownOneNone() {
        ReleaseRequest request = ReleaseRequest.of(IMAGE, PullSecret.anonymous());
        assertThat(releases.lookup(ONE, request)).isEqualTo(new LookupResult.Pending<>());
        await().until(() -> called.contains(ONE));

        Release release = known(request);
        assertThat(release.image()).startsWith("quay.io/openshift-release-dev/ocp-release@sha256:");
        assertThat(release.version()).isEqualTo("4.20.0");
        assertThat(release.kubernetesVersion()).isEqualTo("1.33.5");
        assertThat(release.architectures()).containsExactly("amd64", "arm64", "ppc64le", "s390x");
        assertThat(registry.requests().count()).as("index, manifest, layer").isEqualTo(3);

        assertThat(releases.lookup(new ResourceID("two", "other"), request))
                .isEqualTo(new LookupResult.Known<>(release));
        ReleaseRequest byDigest = ReleaseRequest.of(release.image(), PullSecret.anonymous());
        assertThat(releases.lookup(ONE, byDigest)).isEqualTo(new LookupResult.Known<>(release));
        assertThat(registry.requests().count()).isEqualTo(3);
    }

    @Test
    void okdAndSingleArchitecturesAreReadToo() {
        String okd = ReleaseReference.image("4.18.0-okd-scos.2", null, "x86_64");
        assertThat(known(ReleaseRequest.of(okd, PullSecret.anonymous())).kubernetesVersion())
                .isEqualTo("1.31.5");
        String arm = ReleaseReference.image("4.19.3", null, "arm64");
        Release release = known(ReleaseRequest.of(arm, PullSecret.anonymous()));
        assertThat(release.kubernetesVersion()).isEqualTo("1.32.5");
        assertThat(release.architectures()).isEmpty();
    }

    @Test
    void anImageByDigestIsReadWithoutItsTag() {
        SyntheticImage image = SyntheticRelease.ofTag("4.21.0-multi");
        registry.put("own/releases", "any", image);
        // The registry generates the image at the first request by tag.
        known(new ReleaseRequest(registry.address() + "/own/releases:any", PullSecret.anonymous(), insecure()));
        Releases fresh = service(access(registry));
        releases.close();
        releases = fresh;
        registry.requests().clear();

        String byDigest = registry.address() + "/own/releases@" + image.digest();
        assertThat(known(new ReleaseRequest(byDigest, PullSecret.anonymous(), insecure()))
                        .image())
                .isEqualTo(byDigest);
        assertThat(registry.requests().lines().getFirst())
                .isEqualTo("GET /v2/own/releases/manifests/" + image.digest());
    }

    @Test
    void aHundredClustersWithOneReleaseFetchItOnceAndAllAreCalled() {
        registry.faults().delay(Duration.ofMillis(30));
        ReleaseRequest request = ReleaseRequest.of(IMAGE, PullSecret.anonymous());
        for (int i = 0; i < 100; i++) {
            assertThat(releases.lookup(new ResourceID("c" + i, "ns" + i), request))
                    .isInstanceOf(LookupResult.Pending.class);
        }
        await().until(() -> called.size() == 100);
        assertThat(registry.requests().count()).isEqualTo(3);
    }

    @Test
    void aSlowRegistryDoesNotDelayAnother() {
        try (ReleaseRegistry slow =
                ReleaseRegistry.start(Delays.none().set(Delays.Of.REGISTRY, Duration.ofSeconds(20)))) {
            for (int i = 0; i < 50; i++) {
                String image = slow.address() + "/slow/releases:4.20." + i;
                releases.lookup(OTHER, new ReleaseRequest(image, PullSecret.anonymous(), insecure(slow)));
            }
            known(ReleaseRequest.of(IMAGE, PullSecret.anonymous()));
            assertThat(called).as("none of the slow registry").doesNotContain(OTHER);
        }
    }

    @Test
    void whenTheRegistryIsDown_saysSoAndRecoversByItself() {
        registry.faults().down(true);
        ReleaseRequest request = ReleaseRequest.of(IMAGE, PullSecret.anonymous());
        LookupResult.Failed<Release> failed = failed(request);
        assertThat(failed.reason()).hasToString("ReleaseRegistryUnreachable");
        assertThat(failed.message()).contains(registry.address());

        releases.lookup(ONE, request);
        registry.faults().down(false);
        await().until(() -> releases.lookup(ONE, request) instanceof LookupResult.Known<Release>);
    }

    @Test
    void whenAFailureIsNoLongerNeeded_theRegistryIsNotContacted() {
        registry.faults().absent("4.20.");
        releases.lookup(ONE, ReleaseRequest.of(IMAGE, PullSecret.anonymous()));
        await().until(() -> called.contains(ONE));
        ReleaseRequest needed = ReleaseRequest.of(IMAGE.replace("4.20.0", "4.20.1"), PullSecret.anonymous());
        await("another failure that is looked up after its pauses").until(() -> {
            releases.lookup(ONE, needed);
            return requests("4.20.1") > 2;
        });
        assertThat(requests("4.20.0")).isEqualTo(1);
    }

    private long requests(String version) {
        return registry.requests().lines().stream()
                .filter(line -> line.contains(version))
                .count();
    }

    @Test
    void whenTheVersionIsMissing_reportsTheSameMessageEachTime() {
        registry.faults().absent("4.20.0");
        ReleaseRequest request = ReleaseRequest.of(IMAGE, PullSecret.anonymous());
        LookupResult.Failed<Release> first = failed(request);
        assertThat(first.reason()).hasToString("ReleaseImageNotFound");
        assertThat(first.message()).contains("ocp-release:4.20.0-multi");
        await().until(() -> {
            releases.lookup(ONE, request);
            return registry.requests().count() > 2;
        });
        assertThat(failed(request).message()).isEqualTo(first.message());
    }

    @Test
    void whenTheRegistryIsBusy_asksAgainAtOnce() {
        registry.faults().answering(503, 2);
        assertThat(known(ReleaseRequest.of(IMAGE, PullSecret.anonymous())).version())
                .isEqualTo("4.20.0");
        assertThat(registry.requests().count()).isEqualTo(5);
    }

    @Test
    void whenALayerBreaksOff_triesAgainLater() {
        registry.faults().truncatingLayers(true);
        ReleaseRequest request = ReleaseRequest.of(IMAGE, PullSecret.anonymous());
        assertThat(failed(request).reason()).hasToString("ReleaseRegistryUnreachable");
        registry.faults().truncatingLayers(false);
        await().until(() -> releases.lookup(ONE, request) instanceof LookupResult.Known<Release>);
    }

    @ParameterizedTest
    @ValueSource(strings = {"auth", "username", "path", "identitytoken"})
    void aTokenIsGotWithCredentialsOfAnyShape(String shape) {
        registry.access().tokens().user("u", "p").identityToken("refresh");
        String login = Base64.getEncoder().encodeToString("u:p".getBytes(StandardCharsets.UTF_8));
        String host = registry.address();
        PullSecret secret = secret(
                switch (shape) {
                    case "auth" -> "\"%s\":{\"auth\":\"%s\"}".formatted(host, login);
                    case "username" -> "\"%s\":{\"username\":\"u\",\"password\":\"p\"}".formatted(host);
                    case "path" ->
                        "\"%s\":{\"auth\":\"%s\"},\"%s/openshift-release-dev\":{\"auth\":\"%s\"}"
                                .formatted(host, "eDp5", host, login);
                    default -> "\"%s\":{\"identitytoken\":\"refresh\"}".formatted(host);
                });
        known(ReleaseRequest.of(IMAGE, secret));
        assertThat(registry.requests().count())
                .as("challenge, token, index, manifest, layer")
                .isEqualTo(5);

        known(ReleaseRequest.of(ReleaseReference.image("4.20.1", null, "multi"), secret));
        assertThat(registry.requests().count()).as("the token serves again").isEqualTo(8);
    }

    @Test
    void basicAndReadyMadeTokensServeToo() {
        registry.access().basic().user("u", "p");
        String host = registry.address();
        known(ReleaseRequest.of(IMAGE, secret("\"%s\":{\"username\":\"u\",\"password\":\"p\"}".formatted(host))));
        registry.access().tokens().registryToken("mine");
        known(ReleaseRequest.of(
                ReleaseReference.image("4.19.0", null, ""),
                secret("\"%s\":{\"registrytoken\":\"mine\"}".formatted(host))));
    }

    @Test
    void whenThePullSecretIsRefused_saysSoAndABetterOneIsTriedAtOnce() {
        registry.access().tokens().user("u", "p");
        String host = registry.address();
        LookupResult.Failed<Release> none = failed(ReleaseRequest.of(IMAGE, PullSecret.anonymous()));
        assertThat(none.reason()).hasToString("ReleaseRegistryUnauthorized");
        assertThat(none.message()).contains("add one for \"" + host + "\"");

        PullSecret wrong = secret("\"%s\":{\"username\":\"u\",\"password\":\"wrong-one\"}".formatted(host));
        LookupResult.Failed<Release> refused = failed(ReleaseRequest.of(IMAGE, wrong));
        assertThat(refused.message()).contains("entry for \"" + host + "\"").doesNotContain("wrong-one");

        PullSecret right = secret("\"%s\":{\"username\":\"u\",\"password\":\"p\"}".formatted(host));
        assertThat(known(ReleaseRequest.of(IMAGE, right)).version()).isEqualTo("4.20.0");
    }

    @Test
    void whenTheQuestionMakesNoSense_answersWithoutTheRegistry() {
        assertThat(failed(ReleaseRequest.of("quay.io/a b:1", PullSecret.anonymous())))
                .isEqualTo(new LookupResult.Failed<>(
                        ControlPlaneConditions.RELEASE_IMAGE_INVALID,
                        failed(ReleaseRequest.of("quay.io/a b:1", PullSecret.anonymous()))
                                .message(),
                        Instant.MAX));
        LookupResult.Failed<Release> secret = failed(ReleaseRequest.of(IMAGE, PullSecret.parse(new byte[] {'{'})));
        assertThat(secret.reason()).hasToString("ReleaseRegistryUnauthorized");
        assertThat(secret.message()).contains(".dockerconfigjson");
        assertThat(registry.requests().count()).isZero();
    }

    @Test
    void aMirrorThatFailsIsFollowedByTheNext() {
        try (ReleaseRegistry empty = ReleaseRegistry.start(Delays.none())) {
            String conf = """
                [[registry]]
                location = "%1$s/openshift-release-dev"
                insecure = true
                prefix = "quay.io/openshift-release-dev"
                [[registry.mirror]]
                location = "%2$s/nothing"
                insecure = true
                """.formatted(registry.address(), empty.address());
            var access = new RegistryAccess(RegistryMirrors.parse(conf), "");
            assertThat(known(new ReleaseRequest(IMAGE, PullSecret.anonymous(), access))
                            .version())
                    .isEqualTo("4.20.0");
            assertThat(empty.requests().count()).isEqualTo(1);
        }
    }

    @Test
    void whenTheImageIsNoRelease_saysWhatIsMissing() {
        assertThat(invalid(List.of(List.of(Entry.file("etc/os-release", "")))))
                .contains("/release-manifests/image-references is not in it");
        assertThat(invalid(List.of(List.of(Entry.file(SyntheticRelease.IMAGE_REFERENCES, "{\"spec\":{\"tags\":[]}}")))))
                .contains("says kubernetes=");
        assertThat(invalid(List.of(List.of(Entry.link(SyntheticRelease.IMAGE_REFERENCES, "image-references")))))
                .contains("possibly a loop");
        assertThat(invalid(List.of(
                        List.of(Entry.file(
                                SyntheticRelease.IMAGE_REFERENCES, SyntheticRelease.imageReferences("4.20.0"))),
                        List.of(Entry.file("release-manifests/.wh.image-references", "")))))
                .contains("was removed");
    }

    private String invalid(List<List<Entry>> layers) {
        SyntheticImage image = SyntheticImage.of("amd64", layers);
        registry.put("own/broken", image.digest().substring(7, 17), image);
        LookupResult.Failed<Release> failed = failed(new ReleaseRequest(
                registry.address() + "/own/broken:" + image.digest().substring(7, 17),
                PullSecret.anonymous(),
                insecure()));
        assertThat(failed.reason()).hasToString("ReleaseImageInvalid");
        return failed.message();
    }

    @Test
    void linksAreFollowedAndTheNewestLayerWins() {
        SyntheticImage image = SyntheticImage.of(
                "amd64",
                List.of(
                        List.of(Entry.file("manifests/list", SyntheticRelease.imageReferences("4.20.0"))),
                        List.of(Entry.file("manifests/list", SyntheticRelease.imageReferences("4.19.0"))),
                        List.of(
                                Entry.link("release-manifests", "/manifests"),
                                Entry.link("manifests/image-references", "list"))));
        registry.put("own/linked", "1", image);
        assertThat(known(new ReleaseRequest(registry.address() + "/own/linked:1", PullSecret.anonymous(), insecure()))
                        .version())
                .isEqualTo("4.19.0");
    }

    @Test
    void onlyThePlatformThatIsNeededIsFetched() {
        SyntheticImage arm = SyntheticRelease.ofTag("4.20.0-aarch64");
        registry.put("own/arm", "1", SyntheticImage.index(Map.of("arm64", arm)));
        Release release =
                known(new ReleaseRequest(registry.address() + "/own/arm:1", PullSecret.anonymous(), insecure()));
        assertThat(release.architectures()).containsExactly("arm64");
        assertThat(registry.requests().count()).isEqualTo(3);
    }

    private RegistryAccess insecure() {
        return insecure(registry);
    }

    private static RegistryAccess insecure(ReleaseRegistry registry) {
        String conf = "[[registry]]\nlocation = \"%s\"\ninsecure = true\n".formatted(registry.address());
        return new RegistryAccess(RegistryMirrors.parse(conf), "");
    }
}
