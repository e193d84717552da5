package io.capoa.api.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the message of condition InstallationPlanned says can be read again, whatever else it says. */
class PlannedFindingTest {

    private static final PlannedFinding DISK = new PlannedFinding(
            PlannedFinding.Severity.BLOCKING,
            "host-disk",
            "BareMetalHost",
            "default",
            "host-2",
            "spec.rootDeviceHints",
            "There is no disk with model=disk-0, only /dev/sda (480 GB): correct it",
            "correct spec.rootDeviceHints; then wait");

    private static final PlannedFinding FILE = new PlannedFinding(
            PlannedFinding.Severity.WARNING, "certificate", "file", "", "a.yaml", "", "is too large", "split it");

    @Test
    void whatIsWritten_isReadAgain() {
        String message = String.join(
                "\n",
                PlannedFinding.Severity.BLOCKING.title(),
                DISK.line(),
                "* 1 more, which kubectl capoa plan -n default shows",
                "To install nevertheless: kubectl annotate oacp",
                PlannedFinding.Severity.WARNING.title(),
                FILE.line(),
                "hosts that are not inspected: a, b");

        assertThat(DISK.line())
                .startsWith("* host-disk: BareMetalHost default/host-2, spec.rootDeviceHints: There is no disk");
        assertThat(PlannedFinding.in(message)).containsExactly(DISK, FILE);
    }

    /** Messages of another origin: of older versions of the provider, or made up. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n* \n* :\n",
                "warnings: hosts-too-few: Metal3MachineTemplate default/a: takes 3 hosts; remedy: wait",
                "* host-disk: BareMetalHost default/host-2: under no title; remedy: none",
                "warnings:\n* host-disk: BareMetalHost: no name; remedy: none",
                "warnings:\n* host-disk: BareMetalHost default/host-2: no remedy",
                "warnings:\nsomething else\n* host-disk: BareMetalHost default/host-2: under another title; remedy: none"
            })
    void whatHasAnotherForm_isNoFinding(String message) {
        assertThat(PlannedFinding.in(message)).isEmpty();
    }

    @Test
    void findingsAndLength_areLimited() {
        String many = PlannedFinding.Severity.WARNING.title() + ("\n" + FILE.line()).repeat(1_000);
        assertThat(PlannedFinding.in(many)).hasSize(20);

        List<PlannedFinding> one =
                PlannedFinding.in(PlannedFinding.Severity.WARNING.title() + "\n" + FILE.line() + "y".repeat(100_000));
        assertThat(one)
                .singleElement()
                .satisfies(finding -> assertThat(finding.line()).hasSizeLessThan(32_768));
    }
}
