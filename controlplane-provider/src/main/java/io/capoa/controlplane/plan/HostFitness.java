package io.capoa.controlplane.plan;

import io.capoa.api.rules.disk.DiskChoice;
import io.capoa.api.rules.disk.DiskRules;
import io.capoa.api.rules.disk.InstallationDisk;
import io.capoa.api.rules.disk.InventoryDisk;
import io.capoa.api.rules.disk.RootDeviceHints;
import io.capoa.controlplane.release.Architecture;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a host that Metal3 may take lacks for a pool: role requirements, disk, architecture, identity and boot path. Of
 * a host that was not inspected nothing of this is said but what its BareMetalHost shows.
 *
 * @param faults each keeps the host from being installed; blocking
 * @param disk path and size of the disk that is installed to, and why; empty if assisted-service chooses or none fits
 */
record HostFitness(List<PlanFinding> faults, String disk) {

    private static final String AGENT = "assisted-service does not install the host";

    /** @param release that is installed, such as {@code 4.20.3} */
    static HostFitness of(InspectedHost host, HostPool pool, String release) {
        List<PlanFinding> faults = new ArrayList<>();
        architecture(host, pool, faults);
        if (!pool.hasCustomDeploy() && host.view().hasCustomDeploy()) {
            faults.add(fault(
                    PlanCheck.BOOT_MEDIA,
                    host,
                    "spec.customDeploy",
                    "is a deploy method of the host's own",
                    "Metal3 gives the host neither image nor user data then",
                    "remove spec.customDeploy from the BareMetalHost"));
        }
        if (host.hardware() == null) {
            return new HostFitness(faults, "");
        }
        size(host, pool, release, faults);
        mac(host, faults);
        String disk = disk(host, pool, faults);
        return new HostFitness(faults, disk);
    }

    private static void architecture(InspectedHost host, HostPool pool, List<PlanFinding> faults) {
        String has = Architecture.tagSuffix(host.architecture());
        String boots = Architecture.tagSuffix(pool.architecture());
        if (!host.architecture().isEmpty() && !has.equals(boots)) {
            faults.add(fault(
                    PlanCheck.HOST_ARCHITECTURE,
                    host,
                    "spec.architecture",
                    "the host is %s, but %s boots images for %s".formatted(has, pool.owner(), boots),
                    "the host does not boot them",
                    "write cpuArchitecture %s in %s of %s, or keep the host from it by spec.hostSelector of %s"
                            .formatted(has, pool.specPath(), pool.specObject(), pool.template())));
        }
    }

    private static void size(InspectedHost host, HostPool pool, String release, List<PlanFinding> faults) {
        HostRole role = pool.role();
        int cpus = role.cpus(release);
        if (host.cpus() > 0 && host.cpus() < cpus) {
            faults.add(fault(
                    PlanCheck.HOST_CPU,
                    host,
                    "",
                    "has %d CPUs, and %s needs %d".formatted(host.cpus(), role.described(), cpus),
                    AGENT + " (validation has-cpu-cores-for-role)",
                    "keep it from the pool by spec.hostSelector of " + pool.template()));
        }
        long lacking = role.mebibytes() - HostRole.TOLERATED_MEBIBYTES - host.mebibytes();
        if (host.mebibytes() > 0 && lacking > 0) {
            faults.add(fault(
                    PlanCheck.HOST_MEMORY,
                    host,
                    "",
                    "has %d MiB of memory, and %s needs %d"
                            .formatted(host.mebibytes(), role.described(), role.mebibytes()),
                    AGENT + " (validation has-memory-for-role)",
                    "add memory and inspect the host again, or keep it from the pool by spec.hostSelector of "
                            + pool.template()));
        }
    }

    private static void mac(InspectedHost host, List<PlanFinding> faults) {
        List<String> macs = host.macs();
        if (!host.bootMac().isEmpty() && !macs.isEmpty() && !macs.contains(host.bootMac())) {
            faults.add(fault(
                    PlanCheck.HOST_MAC,
                    host,
                    "spec.bootMACAddress",
                    "%s is the address of no NIC of the host, which has %s"
                            .formatted(host.bootMac(), String.join(", ", macs)),
                    "the host is identified by it, and not approved without",
                    "write the address of the NIC that it boots from"));
        }
    }

    private static String disk(InspectedHost host, HostPool pool, List<PlanFinding> faults) {
        List<InventoryDisk> disks = host.disks(pool.role().diskGigabytes());
        if (disks.isEmpty()) {
            return "";
        }
        DiskRules rules = rules(host, pool);
        if (rules == null) {
            if (disks.stream().noneMatch(InventoryDisk::isEligible)) {
                faults.add(fault(
                        PlanCheck.HOST_DISK,
                        host,
                        "",
                        "has no disk of %d GB or more, only %s"
                                .formatted(
                                        pool.role().diskGigabytes(),
                                        String.join(
                                                ", ",
                                                disks.stream()
                                                        .map(InventoryDisk::described)
                                                        .toList())),
                        AGENT + " (validation has-min-valid-disks)",
                        "keep it from the pool by spec.hostSelector of " + pool.template()));
            }
            return "";
        }
        return switch (InstallationDisk.choose(disks, rules)) {
            case DiskChoice.Chosen chosen ->
                disks.stream()
                        .filter(disk -> disk.id().equals(chosen.id()))
                        .findFirst()
                        .map(disk -> disk.described() + " by " + rules.source() + " " + rules.described())
                        .orElse("");
            case DiskChoice.None none -> {
                boolean ofPool = pool.spec() != null && pool.spec().installationDisk() != null;
                PlanFinding.Subject object = ofPool ? pool.specObject() : host.subject();
                String path = ofPool ? pool.specPath() + ".installationDisk" : "spec.rootDeviceHints";
                String what = none.message().replace(": correct " + rules.source(), "");
                faults.add(PlanFinding.blocking(
                        PlanCheck.HOST_DISK,
                        object,
                        path,
                        (ofPool ? "for " + host.subject() + ": " : "") + what,
                        ofPool || pool.isLiveIso()
                                ? "no other disk is installed to in its place, so the host is not approved"
                                : "Ironic writes the image to no other disk in its place, so the host does not boot",
                        "correct %s of %s".formatted(path, object)));
                yield "";
            }
            case DiskChoice.Unasked ignored -> "";
            case DiskChoice.NotReported ignored -> "";
        };
    }

    private static @Nullable DiskRules rules(InspectedHost host, HostPool pool) {
        return pool.spec() != null && pool.spec().installationDisk() != null
                ? DiskRules.of(pool.spec().installationDisk())
                : RootDeviceHints.of(host.view().rootDeviceHints(), "spec.rootDeviceHints");
    }

    private static PlanFinding fault(
            PlanCheck check, InspectedHost host, String path, String what, String why, String remedy) {
        return PlanFinding.blocking(check, host.subject(), path, what, why, remedy);
    }
}
