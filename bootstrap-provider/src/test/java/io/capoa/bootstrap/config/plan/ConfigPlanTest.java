package io.capoa.bootstrap.config.plan;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static io.capoa.bootstrap.config.observe.ConfigObservations.metal3;
import static io.capoa.bootstrap.config.observe.ConfigObservations.published;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.AssistedState;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.bootstrap.boot.ServiceAuthorities.Certificates;
import io.capoa.bootstrap.config.observe.BootstrapData;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.ignition.DiscoveryMark;
import io.capoa.bootstrap.ignition.Ignition;
import io.capoa.bootstrap.infrastructure.ContractInfrastructure;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.bootstrap.infrastructure.Metal3Infrastructure;
import io.capoa.runtime.lookup.LookupResult;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import okio.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigPlanTest {

    @Test
    void aDiskImage_readsTheDiscoveryIgnition() {
        ConfigPlan plan = ConfigPlan.of(complete().get());

        assertThat(plan.boot()).isEmpty();
        assertThat(plan.data().available()).isTrue();
        assertThat(value(plan)).isNotEmpty();
        assertThat(plan.data().secret())
                .extracting(BootstrapData::mediaDigest)
                .asString()
                .matches("[0-9a-f]{32}");
    }

    @Test
    void aLiveIso_goesIntoTheMachine_andTheDataIsEmpty() {
        ConfigPlan plan = ConfigPlan.of(complete().on(metal3("live-iso", null)).get());

        assertThat(plan.boot()).isEqualTo(Map.of("spec", Map.of("image", Map.of("url", ConfigObservations.ISO))));
        assertThat(plan.data().available()).isTrue();
        assertThat(value(plan)).isEmpty();
    }

    @Test
    void aLiveIsoThatIsNotPublished_isWaitedFor() {
        InfraEnv unpublished = published("T1");
        ((Map<?, ?>) Objects.requireNonNull(
                        unpublished.getAdditionalProperties().get("status")))
                .remove("isoDownloadURL");

        ConfigPlan plan = ConfigPlan.of(
                complete().on(metal3("live-iso", null)).infraEnv(unpublished).get());

        assertThat(plan.data().blocker()).map(Blocker::reason).contains("WaitingForLiveISOURL");
        assertThat(plan.boot()).isEmpty();
        assertThat(plan.data().secret()).isNull();
    }

    @Test
    void aClusterThatTheServiceRefuses_isSaid_insteadOfAWaitForBootMedia() {
        InfraEnv unpublished = published("a");
        unpublished.setAdditionalProperty("status", Map.of());
        assertThat(ConfigPlan.of(complete()
                                .infraEnv(unpublished)
                                .installRefused()
                                .get())
                        .infraEnvBlocker())
                .hasValueSatisfying(why -> {
                    assertThat(why.reason()).isEqualTo("InstallSpecRejected");
                    assertThat(why.message()).contains("AgentClusterInstall cp", "bad key", "spec.config");
                });
        assertThat(ConfigPlan.of(complete().installRefused().get()).infraEnvBlocker())
                .isEmpty();
    }

    @Test
    void onceAHostIsTaken_theLiveIsoStays() {
        ConfigPlan plan =
                ConfigPlan.of(complete().latched().on(metal3("live-iso", "h1")).get());

        assertThat(plan.boot()).isEmpty();
        assertThat(plan.infraEnv()).isNull();
        assertThat(plan.data().secret()).isNull();
        assertThat(plan.data().available()).isTrue();
    }

    @Test
    void theOsImageVersion_goesToAnInfraEnvThatTheServiceHasTaken_ofAnInstalledCluster() {
        String spec = "{osImageVersion: '4.21'}";

        assertThat(osImageVersion(complete().spec(spec))).isNull();
        assertThat(osImageVersion(complete().spec(spec).installed().infraEnv(null)))
                .isNull();
        InfraEnv fresh = published("T1");
        fresh.setAdditionalProperty("status", Map.of());
        assertThat(osImageVersion(complete().spec(spec).installed().infraEnv(fresh)))
                .isNull();
        assertThat(osImageVersion(complete().spec(spec).installed())).isEqualTo("4.21");
    }

    @Test
    void aLiveIsoThatIsToBeReplaced_isNotBooted() {
        ConfigObservations seen =
                complete().spec("{osImageVersion: '4.21'}").installed().on(metal3("live-iso", null));

        ConfigPlan asking = ConfigPlan.of(seen.get());
        InfraEnv asked = published("T1");
        asked.setAdditionalProperty("spec", Map.of("osImageVersion", "4.21"));
        ConfigPlan waiting = ConfigPlan.of(seen.infraEnv(asked).imageReplaced().get());

        assertThat(asking.newImage()).isTrue();
        assertThat(waiting.newImage()).isFalse();
        for (ConfigPlan plan : java.util.List.of(asking, waiting)) {
            assertThat(plan.boot()).isEmpty();
            assertThat(plan.data().blocker()).map(Blocker::reason).contains("WaitingForLiveISOURL");
        }
        assertThat(ConfigPlan.of(complete()
                                .spec("{osImageVersion: '4.21'}")
                                .installed()
                                .on(metal3("qcow2", null))
                                .get())
                        .data()
                        .available())
                .as("a disk image has its version already")
                .isTrue();
    }

    @Test
    void aHostThatBootsALiveIso_getsTheImageOfTheReleaseThatTheClusterRuns() {
        InfraEnv asked = published("T1");
        asked.setAdditionalProperty("spec", Map.of("osImageVersion", "4.21"));
        ConfigObservations joining = complete().installed().on(metal3("live-iso", null));

        assertThat(osImageVersion(joining)).as("the release is not known").isNull();
        assertThat(osImageVersion(joining.release("4.21.3"))).isEqualTo("4.21");
        assertThat(osImageVersion(joining.infraEnv(asked))).isEqualTo("4.21");
        assertThat(osImageVersion(joining.release("4.22.0-rc.1"))).isEqualTo("4.22");
        assertThat(osImageVersion(joining.spec("{osImageVersion: '4.20'}")))
                .as("the user's choice")
                .isEqualTo("4.20");
        assertThat(osImageVersion(complete().installed().release("4.21.3").on(metal3("qcow2", null))))
                .as("a disk image")
                .isNull();
    }

    @Test
    void aLiveIsoOfTheRightRelease_isNotReplaced() {
        InfraEnv right = published("T1");
        Map<String, Object> status = new java.util.TreeMap<>(Fields.map(right, "status"));
        status.put("isoDownloadURL", "https://images.test/byapikey/token/4.21/x86_64/full.iso");
        right.setAdditionalProperty("status", status);

        assertThat(osImageVersion(
                        complete().installed().release("4.21.3").infraEnv(right).on(metal3("live-iso", null))))
                .isNull();
    }

    private static @org.jspecify.annotations.Nullable String osImageVersion(ConfigObservations seen) {
        return Fields.string(Objects.requireNonNull(ConfigPlan.of(seen.get()).infraEnv()), "spec", "osImageVersion");
    }

    @Test
    void aMachineWithoutInfrastructure_isWaitedFor_butItsInfraEnvIsMade() {
        ConfigPlan plan = ConfigPlan.of(complete()
                .on(Infrastructure.missing("Metal3Machine m1-infra does not exist"))
                .infraEnv(null)
                .get());

        assertThat(plan.infraEnv()).isNotNull();
        plan = ConfigPlan.of(complete()
                .on(Infrastructure.missing("Metal3Machine m1-infra does not exist"))
                .get());
        assertThat(plan.data().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("WaitingForInfrastructureMachine");
            assertThat(why.message()).contains("m1-infra");
        });
    }

    @Test
    void anotherProvidersMachine_bootsWithTheData() {
        ConfigPlan plan =
                ConfigPlan.of(complete().on(new ContractInfrastructure(false)).get());

        assertThat(value(plan)).isNotEmpty();
    }

    @Test
    void aReference_namesThePublishedAddressAndTheCertificates() {
        ConfigPlan plan = ConfigPlan.of(reference().get());

        String ignition = decoded(value(plan));
        assertThat(ignition)
                .contains("\"merge\":[{\"source\":\"http://assisted/ign?api_key=T1\"}]")
                .contains("certificateAuthorities");
        assertThat(ConfigPlan.of(reference().certificates(Certificates.NONE).get())
                        .data()
                        .secret())
                .extracting(secret -> decoded(secret.getData().get("value")))
                .asString()
                .doesNotContain("certificateAuthorities");
    }

    @Test
    void aReference_waitsForTheCertificates() {
        ConfigPlan plan = ConfigPlan.of(reference()
                .certificates(new Certificates.Unknown("Secret ns/ca does not exist"))
                .get());

        assertThat(plan.data().secret()).isNull();
        assertThat(plan.data().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("WaitingForCACertificates");
            assertThat(why.message()).contains("Secret ns/ca does not exist");
        });
    }

    @Test
    void aReference_waitsUntilThereIsAnIgnitionToFetch() {
        ConfigPlan plan =
                ConfigPlan.of(reference().download(new LookupResult.Pending<>()).get());

        assertThat(plan.data().blocker()).map(Blocker::reason).contains("DownloadingIgnition");
    }

    @Test
    void aReference_isRenewedWithItsAddressAndCertificates_notWithWhatIsBehindThem() {
        Secret made =
                Objects.requireNonNull(ConfigPlan.of(reference().get()).data().secret());
        InfraEnv overridden = published("T1");
        overridden.getMetadata().setGeneration(2L);

        for (ConfigObservations changed : List.of(
                reference().infraEnv(published("T2")), reference().certificates(new Certificates.Known("other")))) {
            ConfigPlan renewed = ConfigPlan.of(changed.latched().secret(made).get());
            assertThat(renewed.data().renewed()).isTrue();
            assertThat(renewed.data().secret()).isNotNull();
        }
        for (ConfigObservations same : List.of(
                reference().infraEnv(overridden),
                reference().network("net-1=abc"),
                reference().certificates(new Certificates.Unknown("gone")))) {
            ConfigPlan kept = ConfigPlan.of(same.latched().secret(made).get());
            assertThat(kept.data().available()).isTrue();
            assertThat(kept.data().secret()).isNull();
        }
    }

    private static String decoded(String base64) {
        return Objects.requireNonNull(ByteString.decodeBase64(base64)).utf8();
    }

    private static ConfigObservations reference() {
        return complete()
                .on(new ContractInfrastructure(false))
                .spec("{discoveryIgnition: Reference}")
                .certificates(new Certificates.Known("PEM"));
    }

    @Test
    void aNewToken_renewsTheData_untilAHostIsTaken() {
        Secret made =
                Objects.requireNonNull(ConfigPlan.of(complete().get()).data().secret());

        ConfigPlan same = ConfigPlan.of(complete().latched().secret(made).get());
        ConfigPlan renewed = ConfigPlan.of(
                complete().latched().secret(made).infraEnv(published("T2")).get());
        ConfigPlan taken = ConfigPlan.of(complete()
                .latched()
                .secret(made)
                .infraEnv(published("T2"))
                .on(metal3("qcow2", "h1"))
                .get());

        assertThat(same.data().secret()).isNull();
        assertThat(renewed.data().renewed()).isTrue();
        assertThat(renewed.data().secret()).isNotNull();
        assertThat(taken.data().secret()).isNull();
        assertThat(taken.data().available()).isTrue();
    }

    @Test
    void whileTheNewDataIsOnItsWay_theOldIsThere() {
        Secret made =
                Objects.requireNonNull(ConfigPlan.of(complete().get()).data().secret());

        ConfigPlan plan = ConfigPlan.of(complete()
                .latched()
                .secret(made)
                .infraEnv(published("T2"))
                .download(new LookupResult.Failed<>("IgnitionDownloadFailed", "no", Instant.EPOCH))
                .get());

        assertThat(plan.data().available()).isTrue();
        assertThat(plan.data().secret()).isNull();
    }

    @Test
    void whileTheClusterIsInstalled_aNewMachineWaits_andAnOldOneGoesOn() {
        ConfigPlan late = ConfigPlan.of(
                complete().installState("installing").infraEnv(null).get());
        ConfigPlan early =
                ConfigPlan.of(complete().latched().installState("installing").get());

        assertThat(late.infraEnv()).isNull();
        assertThat(late.data().blocker()).map(Blocker::reason).contains("WaitingForInstallComplete");
        assertThat(early.data().available()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"preparing-for-installation", "installing", "installing-pending-user-action", "finalizing"})
    void whileTheClusterIsInstalled_noHostIsGivenItsBoot(String state) {
        for (String format : List.of("qcow2", "live-iso")) {
            ConfigPlan plan = ConfigPlan.of(
                    complete().installState(state).on(metal3(format, null)).get());

            assertThat(plan.data().blocker()).as(format).hasValueSatisfying(why -> {
                assertThat(why.reason()).isEqualTo("WaitingForInstallComplete");
                assertThat(why.message())
                        .contains("AgentClusterInstall cp", AssistedState.ofCluster(state))
                        .doesNotContain("-for-", "-user-");
            });
            assertThat(plan.data().secret()).isNull();
            assertThat(plan.boot()).isEmpty();
        }
        assertThat(ConfigPlan.of(complete()
                                .installState(state)
                                .on(metal3("qcow2", "h1"))
                                .get())
                        .data()
                        .available())
                .as("a host that has been taken boots in any case")
                .isTrue();
        assertThat(ConfigPlan.of(complete().installed().get()).data().available())
                .isTrue();
    }

    @Test
    void aChangedDiscoveryOverrideOrNetworkSetting_renewsTheData_untilAHostIsTaken() {
        Secret made =
                Objects.requireNonNull(ConfigPlan.of(complete().get()).data().secret());
        InfraEnv overridden = published("T1");
        overridden.getMetadata().setGeneration(2L);
        InfraEnv takenOver = published("T1");
        Map<String, Object> status = new HashMap<>(Fields.map(takenOver, "status"));
        status.put("createdTime", "2026-01-01T00:00:00Z");
        takenOver.setAdditionalProperty("status", status);

        for (ConfigObservations changed : List.of(
                complete().infraEnv(overridden),
                complete().infraEnv(takenOver),
                complete().network("net-1=abc"))) {
            ConfigPlan renewed = ConfigPlan.of(changed.latched().secret(made).get());
            assertThat(renewed.data().renewed()).isTrue();
            assertThat(BootstrapData.mediaDigest(
                            Objects.requireNonNull(renewed.data().secret())))
                    .isNotEqualTo(BootstrapData.mediaDigest(made));

            ConfigPlan taken = ConfigPlan.of(changed.on(metal3("qcow2", "h1")).get());
            assertThat(taken.data().secret()).isNull();
        }
    }

    @Test
    void whatTheIgnitionIsMadeFrom_isMarkedInTheInfraEnvsOverride_besideTheUsers() {
        assertThat(override(complete())).isNull();

        Ignition marked = Ignition.parse(String.valueOf(override(complete().network("net-1=abc"))), "test");
        assertThat(marked.version()).isEqualTo("3.1.0");
        assertThat(DiscoveryMark.in(marked)).contains(DiscoveryMark.of("net-1=abc"));

        Ignition both = Ignition.parse(
                String.valueOf(override(complete()
                        .network("net-1=abd")
                        .annotation(
                                Annotations.DISCOVERY_IGNITION_OVERRIDE,
                                "{\"ignition\":{\"version\":\"3.2.0\"},\"storage\":{\"files\":[{\"path\":\"/a\"}]}}"))),
                "test");
        assertThat(both.version()).isEqualTo("3.2.0");
        assertThat(both.toJson()).contains("\"path\":\"/a\"");
        assertThat(DiscoveryMark.in(both)).isPresent().isNotEqualTo(DiscoveryMark.in(marked));
    }

    @ParameterizedTest
    @CsvSource({
        "HostName,    '', H1,      Host a is to become Node h1",
        "MachineName, '', m1,      Host a is to become Node m1",
        "None,        '{hostname: Rack-1}', rack-1, Host Rack-1 is to become Node Rack-1"
    })
    void aHost_isNotApproved_whileAMachineIsDeletedWhoseNodeHasItsName(
            String policy, String inventory, String node, String message) {
        ConfigObservations seen = complete()
                .latched()
                .spec("{hostnamePolicy: %s}".formatted(policy))
                .on(metal3("qcow2", "h1"))
                .itsAgent("{metadata: {name: a}, status: {inventory: %s}}"
                        .formatted(inventory.isEmpty() ? "{}" : inventory))
                .leaving(node);

        AgentPlan held = ConfigPlan.of(seen.get()).agents();

        assertThat(held.patch()).isEmpty();
        assertThat(held.blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("WaitingForNodeName");
            assertThat(why.message()).startsWith(message).contains("Machine earlier");
        });
        assertThat(ConfigPlan.of(seen.leaving("another").get()).agents().patch())
                .as("a Node of another name")
                .isNotEmpty();
    }

    @Test
    void aHostThatIsApproved_staysSo_whicheverMachineIsDeleted() {
        AgentPlan plan = ConfigPlan.of(complete()
                        .latched()
                        .spec("{hostnamePolicy: HostName}")
                        .on(metal3("qcow2", "h1"))
                        .itsAgent("{metadata: {name: a}, spec: {approved: true}}")
                        .leaving("h1")
                        .get())
                .agents();
        assertThat(plan.blocker()).isEmpty();
        assertThat(plan.withdrawn()).isEmpty();
        assertThat(plan.patch()).isEmpty();
    }

    private static @Nullable Object override(ConfigObservations seen) {
        return Fields.map(Objects.requireNonNull(ConfigPlan.of(seen.get()).infraEnv()), "spec")
                .get("ignitionConfigOverride");
    }

    @Test
    void aDiscoveryOverrideThatAssistedServiceWouldNotTake_isSaid_untilAHostIsTaken() {
        ConfigObservations overridden = complete()
                .annotation(Annotations.DISCOVERY_IGNITION_OVERRIDE, "{\"ignition\":{\"version\":\"3.3.0\"}}");

        assertThat(ConfigPlan.of(overridden.infraEnv(null).get()).infraEnv()).isNull();
        assertThat(ConfigPlan.of(overridden.infraEnv(published("T1")).get())
                        .data()
                        .blocker())
                .hasValueSatisfying(why -> {
                    assertThat(why.reason()).isEqualTo("InvalidIgnition");
                    assertThat(why.message()).contains("discovery-ignition-override has Ignition version 3.3.0");
                });
        assertThat(ConfigPlan.of(overridden.latched().on(metal3("qcow2", "h1")).get())
                        .data()
                        .available())
                .isTrue();
    }

    @Test
    void settingsThatNeedMetadata_keepALiveIsoFromBeingBooted_andAreNamed() {
        String spec = """
            {nodeRegistration: {name: METADATA_NAME, providerID: "x://${METADATA_UUID}",
             kubeletExtraLabels: ["zone=$METADATA_ZONE", "metal3.io/uuid=$METADATA_UUID", "rack=r1"]}}\
            """;
        ConfigPlan plan =
                ConfigPlan.of(complete().spec(spec).on(metal3("live-iso", null)).get());

        assertThat(plan.boot()).isEmpty();
        assertThat(plan.data().secret()).isNull();
        assertThat(plan.data().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("HostMetadataUnavailable");
            assertThat(why.message())
                    .contains(
                            "spec.nodeRegistration.name needs $METADATA_NAME",
                            "spec.nodeRegistration.providerID needs $METADATA_UUID",
                            "spec.nodeRegistration.kubeletExtraLabels zone needs $METADATA_ZONE",
                            "hostnamePolicy")
                    .doesNotContain("metal3.io/uuid", "rack");
        });
        assertThat(ConfigPlan.of(complete().spec(spec).on(metal3("qcow2", null)).get())
                        .data()
                        .available())
                .as("a disk image has a config drive")
                .isTrue();
    }

    @Test
    void aLiveIsoBesideACustomDeployMethod_isNotBooted_andNoHostIsTakenForIt() {
        Metal3Infrastructure custom = (Metal3Infrastructure) metal3("live-iso", null);
        Fields.map(custom.machine(), "spec").put("customDeploy", Map.of("method", "install_coreos"));
        ConfigPlan plan = ConfigPlan.of(complete().on(custom).get());

        assertThat(plan.boot()).isEmpty();
        assertThat(plan.data().secret()).isNull();
        assertThat(plan.data().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("CustomDeployConflict");
            assertThat(why.message())
                    .contains("Metal3Machine m1-infra has spec.customDeploy beside a live ISO", "remove");
        });
        assertThat(ConfigPlan.of(complete().on(custom).latched().get()).data().available())
                .as("what an earlier version has made")
                .isTrue();
    }

    @Test
    void aHostWithACustomDeployMethodOfItsOwn_isNamed_untilItReports() {
        Metal3Infrastructure taken = (Metal3Infrastructure) metal3("qcow2", "h1");
        Fields.map(Objects.requireNonNull(taken.bareMetalHost()), "spec")
                .put("customDeploy", Map.of("method", "install_coreos"));
        ConfigObservations seen = complete().on(taken).latched();

        assertThat(ConfigPlan.of(seen.get()).agents().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("CustomDeployConflict");
            assertThat(why.message()).contains("BareMetalHost ns/h1 has spec.customDeploy", "delete the Machine");
        });
        assertThat(ConfigPlan.of(seen.itsAgent("metadata: {name: a}").get())
                        .agents()
                        .blocker()
                        .map(Blocker::reason))
                .isNotEqualTo(Optional.of("CustomDeployConflict"));
    }

    @Test
    void theUsualLabelOfMetal3_doesNotHoldALiveIsoUp() {
        ConfigPlan plan = ConfigPlan.of(complete()
                .spec("{nodeRegistration: {kubeletExtraLabels: ['metal3.io/uuid=$METADATA_UUID']}}")
                .on(metal3("live-iso", null))
                .get());

        assertThat(plan.data().available()).isTrue();
    }

    @Test
    void aHostOfAssistedServicesOwnController_isNamed_andItsAgentIsNotWritten() {
        Infrastructure infrastructure = metal3("qcow2", "h1");
        Objects.requireNonNull(((Metal3Infrastructure) infrastructure).bareMetalHost())
                .getMetadata()
                .setLabels(Map.of("infraenvs.agent-install.openshift.io", "theirs"));
        for (String agent : List.of("metadata: {name: a}", "{metadata: {name: a}, spec: {approved: true}}")) {
            ConfigPlan plan = ConfigPlan.of(
                    complete().latched().on(infrastructure).itsAgent(agent).get());

            assertThat(plan.agents().patch()).isEmpty();
            assertThat(plan.agents().blocker()).hasValueSatisfying(why -> {
                assertThat(why.reason()).isEqualTo("HostManagedByAssistedService");
                assertThat(why.message())
                        .contains("BareMetalHost ns/h1", "infraenvs.agent-install.openshift.io=theirs", "removed");
            });
        }
        assertThat(ConfigPlan.of(complete().latched().on(infrastructure).get())
                        .agents()
                        .blocker())
                .map(Blocker::reason)
                .contains("HostManagedByAssistedService");
        assertThat(ConfigPlan.of(complete()
                                .latched()
                                .going()
                                .on(infrastructure)
                                .itsAgent("{metadata: {name: a}, spec: {approved: true}}")
                                .get())
                        .agents()
                        .withdrawn())
                .as("its approval still ends with the Machine")
                .hasSize(1);
    }

    @Test
    void anInfraEnvOfSomebodyElse_isLeftAlone() {
        InfraEnv foreign = published("T1");
        foreign.getMetadata().setLabels(Map.of());

        ConfigPlan plan = ConfigPlan.of(
                complete().infraEnv(foreign).agent("metadata: {name: a}").get());

        assertThat(plan.infraEnv()).isNull();
        assertThat(plan.infraEnvBlocker()).map(Blocker::reason).contains("InfraEnvConflict");
        assertThat(plan.agents().choice().agent()).isNull();
    }

    @Test
    void mirrorsAndKernelArguments_goToTheInfraEnv() {
        ConfigPlan plan = ConfigPlan.of(complete()
                .spec("{mirrorRegistryRef: {name: mirrors}, kernelArguments: [{operation: append, value: a=1}],"
                        + " additionalNTPSources: [ntp]}")
                .on(metal3("live-iso", null))
                .get());

        Map<String, Object> spec = Fields.map(Objects.requireNonNull(plan.infraEnv()), "spec");
        assertThat(spec)
                .containsEntry("mirrorRegistryRef", Map.of("name", "mirrors", "namespace", "ns"))
                .containsEntry("additionalNTPSources", java.util.List.of("ntp"))
                .containsKey("kernelArguments");
    }

    @Test
    void ofKernelArguments_assistedServiceGetsThoseToAppend_whereALiveIsoBoots() {
        ConfigObservations changed = complete().spec("""
            {kernelArguments: [{operation: delete, value: quiet}, {operation: append, value: a=1},
             {operation: replace, value: b=2}]}""");

        assertThat(kernelArguments(changed.on(metal3("live-iso", null))))
                .isEqualTo(List.of(Map.of("operation", "append", "value", "a=1")));
        assertThat(kernelArguments(changed.on(Infrastructure.missing("not seen yet"))))
                .isEqualTo(List.of(Map.of("operation", "append", "value", "a=1")));
        assertThat(kernelArguments(changed.on(metal3("qcow2", null)))).isNull();
        assertThat(kernelArguments(complete()
                        .spec("{kernelArguments: [{operation: delete, value: quiet}]}")
                        .on(metal3("live-iso", null))))
                .isNull();
    }

    private static @Nullable Object kernelArguments(ConfigObservations seen) {
        return Fields.map(Objects.requireNonNull(ConfigPlan.of(seen.get()).infraEnv()), "spec")
                .get("kernelArguments");
    }

    @Test
    void anAgentIsApproved_withTheLabelThatMetal3Matches() {
        ConfigPlan plan = ConfigPlan.of(complete()
                .latched()
                .on(metal3("qcow2", "h1"))
                .itsAgent("metadata: {name: a}")
                .get());

        assertThat(plan.agents().blocker()).isEmpty();
        assertThat(Fields.any(plan.agents().patch(), "spec", "approved")).isEqualTo(true);
        assertThat(Fields.any(plan.agents().patch(), "spec", "nodeLabels"))
                .isEqualTo(Map.of("metal3.io/uuid", "h1-uid"));
    }

    @Test
    void whileTheHostIsNotKnown_theAgentIsNotApproved() {
        ConfigPlan plan = ConfigPlan.of(complete().agent("metadata: {name: a}").get());

        assertThat(plan.agents().patch()).isEmpty();
        assertThat(plan.agents().blocker()).map(Blocker::reason).contains("WaitingForBareMetalHost");
    }

    @Test
    void aHostThatHasNotReportedItsInterfaces_isWaitedFor() {
        ConfigPlan plan = ConfigPlan.of(complete()
                .latched()
                .on(metal3("qcow2", "h1"))
                .agent("{metadata: {name: a}, status: {inventory: {hostname: h1}}}")
                .get());

        assertThat(plan.agents().patch()).isEmpty();
        assertThat(plan.agents().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("WaitingForInventory");
            assertThat(why.message()).contains("Host h1", "network interfaces");
        });
    }

    @Test
    void aHostWhosePortsReportOneAddress_mayBeTheMachines_andItsBondIsNamed() {
        ConfigObservations seen = complete().latched().on(metal3("qcow2", "h1"));

        assertThat(wrongHost(seen.agent("metadata: {name: b}", "00:00:00:00:00:00")))
                .contains("MAC addresses 00:00:00:00:00:00)", "probably bonded", "fail_over_mac: active");
        assertThat(wrongHost(complete()
                        .latched()
                        .on(metal3("qcow2", "h1"))
                        .agent("metadata: {name: b}", "52:54:00:0b:00:02")))
                .doesNotContain("bonded");
    }

    private static String wrongHost(ConfigObservations seen) {
        Blocker why = ConfigPlan.of(seen.get()).agents().blocker().orElseThrow();
        assertThat(why.reason()).isEqualTo("WrongHost");
        return why.message();
    }

    @Test
    void anotherHostWithTheMediaOfThisMachine_isNotTaken_andLosesItsApproval() {
        String approved = "{metadata: {name: b}, spec: {approved: true}, status: {inventory: {hostname: host-b}}}";
        ConfigObservations seen =
                complete().latched().on(metal3("live-iso", "h1")).agent(approved, "52:54:00:0b:00:02");

        ConfigPlan plan = ConfigPlan.of(seen.get());

        assertThat(plan.agents().choice().agent()).isNull();
        assertThat(plan.agents().patch()).isEmpty();
        assertThat(plan.agents().withdrawn())
                .extracting(agent -> agent.getMetadata().getName())
                .containsExactly("b");
        assertThat(plan.agents().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("WrongHost");
            assertThat(why.message())
                    .contains(
                            "Host host-b",
                            "Agent b",
                            "52:54:00:0b:00:02",
                            "BareMetalHost ns/h1",
                            ConfigObservations.MAC)
                    .contains("delete its Agent");
        });

        ConfigPlan both = ConfigPlan.of(seen.itsAgent("metadata: {name: a}").get());

        assertThat(both.agents().choice().agent())
                .extracting(agent -> agent.getMetadata().getName())
                .isEqualTo("a");
        assertThat(both.agents().withdrawn())
                .as("also while the right host is not complete")
                .hasSize(1);
        assertThat(both.agents().blocker())
                .map(Blocker::message)
                .hasValueSatisfying(words -> assertThat(words).contains("disks"));
    }

    @Test
    void aMachineThatIsBeingDeleted_takesItsApprovalBack_unlessTheInstallationHasBegun() {
        String agent = "{metadata: {name: a}, spec: {approved: true}, status: {debugInfo: {state: %s}}}";

        AgentPlan before = ConfigPlan.of(complete()
                        .latched()
                        .going()
                        .on(metal3("qcow2", "h1"))
                        .itsAgent(agent.formatted("known"))
                        .get())
                .agents();
        AgentPlan begun = ConfigPlan.of(complete()
                        .latched()
                        .going()
                        .on(metal3("qcow2", "h1"))
                        .itsAgent(agent.formatted("installing"))
                        .get())
                .agents();

        assertThat(before.withdrawn()).hasSize(1);
        assertThat(before.patch()).isEmpty();
        assertThat(before.blocker()).map(Blocker::reason).contains("Deleting");
        assertThat(begun.withdrawn()).isEmpty();
    }

    @Test
    void whileTheHostIsNotKnown_noApprovalIsTakenBack() {
        ConfigObservations seen = complete().latched();
        for (String name : List.of("a", "b")) {
            seen.agent("{metadata: {name: %s}, spec: {approved: true}}".formatted(name), ConfigObservations.MAC);
        }

        assertThat(ConfigPlan.of(seen.get()).agents().withdrawn()).isEmpty();
        assertThat(ConfigPlan.of(seen.on(Infrastructure.missing("not seen")).get())
                        .agents()
                        .withdrawn())
                .isEmpty();
    }

    @Test
    void anAgentThatIsBoundElsewhere_isLeftAlone() {
        String bound = "{metadata: {namespace: ns, name: b}, spec: {clusterDeploymentName: {name: %s, namespace: %s}}}";
        ConfigObservations seen = complete().latched().on(metal3("qcow2", "h1"));

        for (String[] other : new String[][] {{"other", "ns"}, {"cp", "elsewhere"}}) {
            ConfigPlan plan = ConfigPlan.of(complete()
                    .latched()
                    .on(metal3("qcow2", "h1"))
                    .itsAgent(bound.formatted(other[0], other[1]))
                    .get());
            assertThat(plan.agents().patch()).isEmpty();
            assertThat(plan.agents().withdrawn()).isEmpty();
            assertThat(plan.agents().blocker()).hasValueSatisfying(why -> {
                assertThat(why.reason()).isEqualTo("WaitingForAgent");
                assertThat(why.message()).contains("Agent b", "ClusterDeployment " + other[0]);
            });
        }
        assertThat(ConfigPlan.of(seen.itsAgent(bound.formatted("cp", "ns")).get())
                        .agents()
                        .patch())
                .isNotEmpty();
    }

    @Test
    void whereNothingTellsOneHostFromAnother_theOnlyOneIsTaken() {
        ConfigObservations seen = complete().latched().on(new ContractInfrastructure(true));

        assertThat(ConfigPlan.of(seen.agent("metadata: {name: a}").get())
                        .agents()
                        .patch())
                .isNotEmpty();

        ConfigPlan both = ConfigPlan.of(seen.agent("metadata: {name: b}").get());

        assertThat(both.agents().patch()).isEmpty();
        assertThat(both.agents().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("AmbiguousHost");
            assertThat(why.message()).contains("Agents a, b", "Delete those that are not");
        });
    }

    @Test
    void aHostThatReportsBeforeMetal3HasTakenOne_doesNotKeepTheIsoFromTheMachine() {
        ConfigPlan plan = ConfigPlan.of(complete()
                .on(metal3("live-iso", null))
                .agent("metadata: {name: stale}", "52:54:00:0b:00:02")
                .get());

        assertThat(plan.boot()).isEqualTo(Map.of("spec", Map.of("image", Map.of("url", ConfigObservations.ISO))));
        assertThat(plan.agents().patch()).isEmpty();
    }

    @Test
    void aLiveIso_isInstalledToTheDiskThatTheHostsHintsName() {
        String reported = """
            metadata: {name: a}
            status: {inventory: {hostname: h1, disks: [{id: d1, path: %s, installationEligibility: {eligible: true, notEligibleReasons: []}}]}}
            """;
        ConfigObservations seen = complete().latched().on(metal3("live-iso", "h1"));

        ConfigPlan plan =
                ConfigPlan.of(seen.itsAgent(reported.formatted("/dev/sda")).get());
        ConfigPlan other = ConfigPlan.of(complete()
                .latched()
                .on(metal3("live-iso", "h1"))
                .itsAgent(reported.formatted("/dev/vda"))
                .get());

        assertThat(Fields.any(plan.agents().patch(), "spec", "installation_disk_id"))
                .isEqualTo("d1");
        assertThat(other.agents().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("InstallationDiskNotFound");
            assertThat(why.message()).contains("Host h1", "deviceName=/dev/sda", "/dev/vda");
        });
    }

    @Test
    void whatAssistedServiceRefuses_isSaid() {
        ConfigObservations seen = complete().latched().on(metal3("qcow2", "h1"));
        ConfigPlan first = ConfigPlan.of(seen.itsAgent("metadata: {name: a}").get());
        Map<?, ?> applied =
                (Map<?, ?>) Objects.requireNonNull(first.agents().patch().get("spec"));

        ConfigObservation refused =
                complete().latched().on(metal3("qcow2", "h1")).itsAgent("""
                    metadata: {name: a}
                    status: {conditions: [{type: SpecSynced, status: "False", reason: InputError, message: bad argument}]}
                    """).get();
        refused.agents().getFirst().setAdditionalProperty("spec", applied);

        assertThat(ConfigPlan.of(refused).agents().blocker()).hasValueSatisfying(why -> {
            assertThat(why.reason()).isEqualTo("AgentSpecRefused");
            assertThat(why.message()).contains("bad argument");
        });
    }

    private static String value(ConfigPlan plan) {
        return Objects.requireNonNull(
                Objects.requireNonNull(plan.data().secret()).getData().get("value"));
    }
}
