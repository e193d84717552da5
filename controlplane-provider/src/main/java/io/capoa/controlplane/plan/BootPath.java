package io.capoa.controlplane.plan;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Metal3MachineView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the hosts of a pool boot: a disk image with a config drive, or a live ISO by virtual media. */
final class BootPath {

    private BootPath() {}

    /** What is wrong for every host. */
    static List<PlanFinding> of(HostPool pool) {
        List<PlanFinding> findings = new ArrayList<>();
        boolean image = Metal3MachineView.of(pool.machine()).imageUrl() != null;
        if (!image && !pool.isLiveIso() && !pool.hasCustomDeploy()) {
            findings.add(PlanFinding.blocking(
                    PlanCheck.BOOT_IMAGE,
                    pool.template(),
                    "spec.template.spec.image",
                    "names no image",
                    "its hosts boot nothing",
                    "write a disk image with its checksum, or diskFormat live-iso"));
        }
        if (pool.isLiveIso() && pool.hasCustomDeploy()) {
            findings.add(PlanFinding.blocking(
                    PlanCheck.BOOT_MEDIA,
                    pool.template(),
                    "spec.template.spec.customDeploy",
                    "is given beside a live ISO",
                    "baremetal-operator does not boot the ISO then",
                    "remove spec.customDeploy, or name a disk image in place of the live ISO"));
        }
        if (image && !pool.isLiveIso() && Fields.string(pool.machine(), "spec", "image", "checksum") == null) {
            findings.add(PlanFinding.warning(
                    PlanCheck.BOOT_IMAGE,
                    pool.template(),
                    "spec.template.spec.image.checksum",
                    "is missing",
                    "Ironic writes no disk image that it cannot verify",
                    "write the checksum of the image, or its URL"));
        }
        return findings;
    }

    /** What is wrong for this host. */
    static Optional<PlanFinding> of(HostPool pool, InspectedHost host) {
        String driver = host.bmcAddress().replaceFirst("[+:].*", "").toLowerCase(Locale.ROOT);
        if (!pool.isLiveIso() || driver.endsWith("virtualmedia") || driver.equals("redfish-uefihttp")) {
            return Optional.empty();
        }
        return Optional.of(PlanFinding.warning(
                PlanCheck.BOOT_MEDIA,
                host.subject(),
                "spec.bmc.address",
                "%s has no virtual media, and %s boots a live ISO".formatted(driver, pool.owner()),
                "Ironic boots an ISO by network only on few hosts",
                "write an address with a driver of virtual media, such as redfish-virtualmedia://, or a disk image in %s"
                        .formatted(pool.template())));
    }
}
