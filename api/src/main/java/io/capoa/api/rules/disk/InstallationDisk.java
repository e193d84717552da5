package io.capoa.api.rules.disk;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.DiskHints;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the installation disk from the inventory that a host reported: one that has every required property and that
 * assisted-service accepts. Otherwise it chooses none, because any other disk may hold data.
 *
 * <p>Of several, a multipath disk comes first, then the inventory's order decides, as in assisted-service ({@code
 * applyRootDeviceHints} of {@code cmd/agentbasedinstaller}). A disk that is one path of a multipath disk is never
 * chosen: Ironic ignores it too ({@code list_all_block_devices} of ironic-python-agent).
 */
public final class InstallationDisk {

    private static final int LISTED = 8;

    private InstallationDisk() {}

    /**
     * The disk that the config asks for, or, when it asks for none, the infrastructure provider.
     *
     * @param wanted {@code spec.installationDisk}
     * @param hints the provider's, such as those of {@link RootDeviceHints}
     */
    public static DiskChoice choose(Agent agent, @Nullable DiskHints wanted, @Nullable DiskRules hints) {
        if (wanted != null) {
            return choose(disks(agent), DiskRules.of(wanted));
        }
        return hints == null ? new DiskChoice.Unasked() : choose(disks(agent), hints);
    }

    /**
     * The disk that meets the rules.
     *
     * @param disks of one host, in the order in which it reported them
     */
    public static DiskChoice choose(List<InventoryDisk> disks, DiskRules rules) {
        if (!rules.faults().isEmpty()) {
            return new DiskChoice.None(rules.source() + " chooses no disk: " + String.join(", ", rules.faults())
                    + ". Correct it, or remove it to leave the choice to assisted-service");
        }
        if (disks.isEmpty()) {
            return new DiskChoice.NotReported();
        }
        List<InventoryDisk> matching = disks.stream().filter(rules::match).toList();
        return matching.stream()
                .filter(disk -> obstacle(disk, disks).isEmpty())
                .min(Comparator.comparing(disk -> !disk.isMultipath()))
                .<DiskChoice>map(disk -> new DiskChoice.Chosen(disk.id()))
                .orElseGet(() -> new DiskChoice.None(
                        matching.isEmpty() ? noMatch(rules, disks) : unfit(rules, matching, disks)));
    }

    /** Why a disk that matches is not installed to. */
    private static Optional<String> obstacle(InventoryDisk disk, List<InventoryDisk> disks) {
        if (disk.id().isEmpty()) {
            return Optional.of("the inventory gives it no id");
        }
        return disks.stream()
                .filter(disk::isPathOf)
                .findFirst()
                .map(multipath -> "it is a path of the multipath disk " + multipath.path())
                .or(() -> disk.isEligible() ? Optional.empty() : Optional.of(disk.obstacles()));
    }

    private static String noMatch(DiskRules rules, List<InventoryDisk> disks) {
        String rest = disks.size() > LISTED ? " and " + (disks.size() - LISTED) + " more" : "";
        return "There is no disk with " + rules.described() + ", only "
                + disks.stream()
                        .limit(LISTED)
                        .map(disk -> disk.described() + differences(rules, disk))
                        .collect(Collectors.joining(", "))
                + rest + ": correct " + rules.source();
    }

    private static String differences(DiskRules rules, InventoryDisk disk) {
        String shown = rules.rules().stream()
                .filter(rule ->
                        !rule.matches().test(disk) && !rule.shown().apply(disk).isEmpty())
                .map(rule -> rule.name() + " " + rule.shown().apply(disk))
                .collect(Collectors.joining(", "));
        return shown.isEmpty() ? "" : " [" + shown + "]";
    }

    private static String unfit(DiskRules rules, List<InventoryDisk> matching, List<InventoryDisk> disks) {
        return "The disk with " + rules.described() + " cannot be installed to: "
                + matching.stream()
                        .limit(LISTED)
                        .map(disk ->
                                disk.described() + ": " + obstacle(disk, disks).orElse(""))
                        .collect(Collectors.joining("; "))
                + ". No other is taken in its place: remedy that, or name another disk in " + rules.source();
    }

    private static List<InventoryDisk> disks(Agent agent) {
        return AgentView.of(agent).disks().stream().map(InventoryDisk::new).toList();
    }
}
