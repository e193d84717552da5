package io.capoa.bootstrap.config.plan;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.InfraEnvView;
import io.capoa.api.rules.node.InvalidIgnitionException;
import io.capoa.api.rules.node.InvalidNodeRegistrationException;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.bootstrap.boot.BootMedia;
import io.capoa.bootstrap.boot.ServiceAuthorities.Certificates;
import io.capoa.bootstrap.config.observe.BootstrapData;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.InstallFacts;
import io.capoa.bootstrap.config.observe.Owner;
import io.capoa.bootstrap.config.observe.Prerequisites;
import io.capoa.bootstrap.ignition.NodeIgnition;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.runtime.lookup.LookupResult;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import okhttp3.HttpUrl;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * What one reconcile of a config writes, and the conditions that hold then; a pure function of the observation.
 *
 * @param infraEnv to apply
 * @param placeholderPullSecret whether the InfraEnv needs the stand-in for a pull secret
 * @param infraEnvBlocker why the InfraEnv is not ready
 * @param newImage whether writing the InfraEnv has assisted-service make another live ISO, whose address comes later
 * @param boot what to merge into the infrastructure machine before the data is there
 * @param data what is to become of the bootstrap data
 * @param agents what is to happen with the hosts
 */
public record ConfigPlan(
        @Nullable InfraEnv infraEnv,
        boolean placeholderPullSecret,
        Optional<Blocker> infraEnvBlocker,
        boolean newImage,
        Map<String, Object> boot,
        Data data,
        AgentPlan agents) {

    private static final byte[] NOTHING = {};

    /**
     * What is to become of the bootstrap data.
     *
     * @param secret to create, or to renew
     * @param renewed whether the Secret exists and is to get this data
     * @param available whether the data exists once all is written
     * @param blocker why it does not
     */
    public record Data(@Nullable Secret secret, boolean renewed, boolean available, Optional<Blocker> blocker) {

        static Data waiting(Blocker why) {
            return new Data(null, false, false, Optional.of(why));
        }

        static Data made() {
            return new Data(null, false, true, Optional.empty());
        }
    }

    public static ConfigPlan of(ConfigObservation seen) {
        Optional<Blocker> missing = Prerequisites.missing(seen);
        InfraEnv desired = missing.isEmpty() && seen.isOpen() ? desiredInfraEnv(seen) : null;
        Optional<Blocker> infraEnv = missing.isPresent() && !seen.ownsInfraEnv() ? missing : image(seen);
        boolean newImage = asksForAnotherImage(seen, desired);
        boolean oldImage = newImage || seen.asked().imageReplaced();
        Optional<Blocker> unready = missing.or(() -> Prerequisites.bootBlocker(seen))
                .or(() -> infraEnv)
                .or(() -> infrastructure(seen))
                .or(() -> bootFailure(seen))
                .or(() -> MissingMetadata.blocker(seen))
                .or(() -> oldImage ? Optional.of(anotherImage(desired)) : Optional.empty());
        return new ConfigPlan(
                desired,
                desired != null && needsPlaceholder(seen),
                infraEnv,
                newImage,
                unready.isEmpty() ? boot(seen) : Map.of(),
                seen.dataMade()
                        ? unready.isEmpty() && seen.dataOutdated() ? renewed(seen) : Data.made()
                        : unready.map(Data::waiting).orElseGet(() -> created(seen)),
                AgentPlan.of(seen));
    }

    /** The same where the host is known to be lost. */
    public ConfigPlan with(LostHost lost) {
        return lost.blocker()
                .map(why -> new ConfigPlan(
                        infraEnv, placeholderPullSecret, infraEnvBlocker, newImage, boot, data, agents.because(why)))
                .orElse(this);
    }

    /** The same when the bootstrap data could not be stored. */
    public ConfigPlan withoutData(Blocker why) {
        return new ConfigPlan(
                infraEnv, placeholderPullSecret, infraEnvBlocker, newImage, boot, Data.waiting(why), agents);
    }

    private static @Nullable InfraEnv desiredInfraEnv(ConfigObservation seen) {
        ClusterDeployment deployment = seen.deployment();
        if (deployment == null || !(seen.owner() instanceof Owner.Of owner)) {
            return null;
        }
        // Until the infrastructure machine is seen, the host may boot a live ISO.
        boolean isBooted = seen.infrastructure().isLiveIso()
                || seen.infrastructure().missing().isPresent();
        return DesiredInfraEnv.of(
                seen.config(),
                owner.machine(),
                deployment,
                clusterName(seen),
                new DesiredInfraEnv.Image(
                        DiscoveryImageVersion.of(seen),
                        isBooted,
                        seen.discovery().mark()));
    }

    /** The address that is published belongs to the image of before: a host that boots it would be of the old version. */
    private static boolean asksForAnotherImage(ConfigObservation seen, @Nullable InfraEnv desired) {
        String version = InfraEnvView.of(desired).osImageVersion();
        return version != null
                && seen.infraEnv() != null
                && seen.infrastructure().isLiveIso()
                && seen.media().iso() != null
                && !version.equals(InfraEnvView.of(seen.infraEnv()).osImageVersion());
    }

    private static Blocker anotherImage(@Nullable InfraEnv desired) {
        return new Blocker(
                ConfigConditions.WAITING_FOR_LIVE_ISO_URL,
                "Waiting for assisted-service to build the live ISO with osImageVersion "
                        + InfraEnvView.of(desired).osImageVersion());
    }

    private static boolean needsPlaceholder(ConfigObservation seen) {
        return seen.asked().pullSecret() == ConfigObservation.PullSecret.MISSING
                && DesiredInfraEnv.pullSecretName(seen.config().getSpec())
                        .equals(DesiredInfraEnv.PLACEHOLDER_PULL_SECRET);
    }

    private static Optional<Blocker> image(ConfigObservation seen) {
        InfraEnv infraEnv = seen.infraEnv();
        if (infraEnv == null) {
            return Optional.of(new Blocker(
                    ConfigConditions.WAITING_FOR_INFRA_ENV_TO_BE_READY,
                    seen.latched() ? "The InfraEnv is gone" : "Waiting for assisted-service to process the InfraEnv"));
        }
        String name = "InfraEnv " + infraEnv.getMetadata().getName();
        Optional<ConditionView> image = ConditionView.of(infraEnv, "ImageCreated");
        if (image.isPresent() && image.get().status().equals("False")) {
            return Optional.of(new Blocker(
                    ConfigConditions.IMAGE_CREATION_FAILED,
                    name + ": " + HostReport.withoutTokens(image.get().message())));
        }
        if (seen.media().problem() != null) {
            return Optional.of(new Blocker(
                    ConfigConditions.IMAGE_CREATION_FAILED,
                    name + ": " + seen.media().problem()));
        }
        Optional<Blocker> rejection = rejection(seen);
        if (rejection.isPresent() && seen.media().equals(BootMedia.NONE)) {
            return rejection;
        }
        if (seen.infrastructure().isLiveIso() && seen.media().iso() == null) {
            return Optional.of(new Blocker(
                    ConfigConditions.WAITING_FOR_LIVE_ISO_URL,
                    "Waiting for assisted-service to publish the live ISO of " + name));
        }
        return seen.media().ignition() == null && !seen.infrastructure().isLiveIso()
                ? Optional.of(new Blocker(
                        ConfigConditions.WAITING_FOR_INFRA_ENV_TO_BE_READY,
                        "Waiting for assisted-service to publish the boot media of " + name))
                : Optional.empty();
    }

    /** A cluster that assisted-service refuses is not registered there, and no InfraEnv of it gets boot media. */
    private static Optional<Blocker> rejection(ConfigObservation seen) {
        InstallFacts install = seen.install();
        return install == null || install.rejection() == null
                ? Optional.empty()
                : Optional.of(new Blocker(
                        ConfigConditions.INSTALL_SPEC_REJECTED,
                        "assisted-service refuses AgentClusterInstall " + install.name() + ": " + install.rejection()));
    }

    private static Optional<Blocker> infrastructure(ConfigObservation seen) {
        return seen.infrastructure()
                .missing()
                .map(why -> new Blocker(
                        ConfigConditions.WAITING_FOR_INFRASTRUCTURE_MACHINE,
                        why + ": it determines how the host boots"));
    }

    /** A host that has been taken already is not held up. */
    private static Optional<Blocker> bootFailure(ConfigObservation seen) {
        return seen.latched() || seen.hostTaken()
                ? Optional.empty()
                : seen.infrastructure().bootFailure();
    }

    /** The live ISO's address, also one that replaces another, until a host has been taken. */
    private static Map<String, Object> boot(ConfigObservation seen) {
        String iso = seen.media().iso();
        return iso != null && !seen.hostTaken() ? seen.infrastructure().booting(iso) : Map.of();
    }

    private static Data renewed(ConfigObservation seen) {
        Data data = seen.infrastructure().isLiveIso() ? Data.made() : created(seen);
        // While the new data is on its way the old one is there.
        return data.secret() == null ? Data.made() : new Data(data.secret(), true, true, Optional.empty());
    }

    private static Data created(ConfigObservation seen) {
        if (seen.infrastructure().isLiveIso()) {
            Secret empty = BootstrapData.secret(seen.config(), clusterName(seen), NOTHING, null);
            return new Data(empty, false, true, Optional.empty());
        }
        if (seen.discovery().certificates() instanceof Certificates.Unknown unknown) {
            return Data.waiting(new Blocker(
                    ConfigConditions.WAITING_FOR_CA_CERTIFICATES,
                    "Waiting for the CA certificates by which the host trusts assisted-service: " + unknown.why()));
        }
        return switch (seen.asked().download()) {
            case LookupResult.Known<ByteString> known -> stored(seen, known.value());
            case LookupResult.Pending<ByteString> ignored -> Data.waiting(downloading());
            case LookupResult.Failed<ByteString> failed -> Data.waiting(new Blocker(failed.reason(), failed.message()));
        };
    }

    private static Data stored(ConfigObservation seen, ByteString ignition) {
        try {
            byte[] data = seen.config().getSpec().refersToDiscoveryIgnition()
                    ? reference(seen)
                    : NodeIgnition.discovery(
                            ignition.toByteArray(), seen.config().getSpec(), "The discovery ignition");
            Secret secret = BootstrapData.secret(seen.config(), clusterName(seen), data, seen.ignitionDigest());
            return new Data(secret, false, true, Optional.empty());
        } catch (InvalidIgnitionException invalid) {
            return Data.waiting(new Blocker(ConfigConditions.INVALID_IGNITION, String.valueOf(invalid.getMessage())));
        } catch (InvalidNodeRegistrationException invalid) {
            return Data.waiting(
                    new Blocker(ConfigConditions.INVALID_NODE_REGISTRATION, String.valueOf(invalid.getMessage())));
        }
    }

    /** The download has shown that there is an ignition for the host to fetch. */
    private static byte[] reference(ConfigObservation seen) {
        HttpUrl url = Objects.requireNonNull(seen.media().hostIgnition());
        String certificates = seen.discovery().certificates() instanceof Certificates.Known known ? known.pem() : "";
        return NodeIgnition.discoveryReference(
                url.toString(), certificates, seen.config().getSpec());
    }

    private static Blocker downloading() {
        return new Blocker(ConfigConditions.DOWNLOADING_IGNITION, "The discovery ignition is being downloaded");
    }

    private static String clusterName(ConfigObservation seen) {
        return Objects.requireNonNull(seen.cluster()).getMetadata().getName();
    }
}
