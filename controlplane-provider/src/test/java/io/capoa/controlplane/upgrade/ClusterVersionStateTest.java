package io.capoa.controlplane.upgrade;

import static io.capoa.controlplane.upgrade.ClusterUpgrades.AT_4_20_3;
import static io.capoa.controlplane.upgrade.ClusterUpgrades.state;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClusterVersionStateTest {

    @Test
    void theRunningRelease_isTheLastCompleteOne_otherwiseTheOldest() {
        assertThat(version("status: {history: [{state: Partial, version: b}, {state: Completed, version: a}]}")
                        .running())
                .contains(new ReleaseName("a", ""));
        assertThat(version("status: {history: [{state: Partial, version: b}, {state: Partial, version: a}]}")
                        .running())
                .contains(new ReleaseName("a", ""));
        assertThat(version("status: {}").running()).isEmpty();
    }

    @Test
    void aConditionalUpdateThatIsRecommended_isListedOnce_withoutItsRisks() {
        ClusterVersionState version = version("""
            status:
              availableUpdates: [{version: a, image: i}]
              conditionalUpdates:
              - release: {version: a, image: i}
                risks: [{name: R}]
                conditions: [{type: Recommended, status: "True"}]
            """);

        assertThat(version.offered()).containsExactly(new OfferedUpdate(new ReleaseName("a", "i"), List.of()));
    }

    @Test
    void offers_areSortedByVersion_eachOnce() {
        assertThat(UpgradeOffers.newestFirst(Objects.requireNonNull(AT_4_20_3.version())))
                .extracting(update -> update.release().version())
                .containsExactly("4.21.1", "4.20.6", "4.20.5");
        assertThat(UpgradeOffers.newestFirst(
                        version("status: {availableUpdates: [{version: a}, {version: a}, {version: ''}, 7]}")))
                .extracting(update -> update.release().version())
                .containsExactly("a");
    }

    @Test
    void aSpecThatTheOperatorHasNotSeen_isNotObserved() {
        assertThat(version("status: {observedGeneration: 0}").observed()).isFalse();
        assertThat(version("status: {observedGeneration: 1}").observed()).isTrue();
    }

    @Test
    void contentOfOtherTypes_countsAsAbsent_andLongTextIsCut() {
        ClusterVersionState version = version("""
            spec: {desiredUpdate: 3, channel: [a]}
            status: {history: no, conditions: [{type: A, status: {}, message: "a\\tb%s"}], availableUpdates: 5, conditionalUpdates: [7]}
            """.formatted("x".repeat(5_000)));

        assertThat(version.requested()).isNull();
        assertThat(version.channel()).isEmpty();
        assertThat(version.history()).isEmpty();
        assertThat(Objects.requireNonNull(version.conditions().get("A")).message())
                .hasSize(601)
                .startsWith("a b")
                .endsWith("x…");
    }

    private static ClusterVersionState version(String yaml) {
        return Objects.requireNonNull(state(yaml).version());
    }
}
