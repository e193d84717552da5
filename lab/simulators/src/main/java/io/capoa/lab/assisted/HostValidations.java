package io.capoa.lab.assisted;

import io.capoa.api.contract.Fields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Validations of a host before its installation: those of the real service that depend on the inventory. */
final class HostValidations {

    private static final double GIBIBYTE = 1L << 30;
    private static final int MASTER_GIBIBYTES = 16;
    private static final int WORKER_GIBIBYTES = 8;
    private static final int MASTER_CPUS = 4;
    private static final int WORKER_CPUS = 2;
    private static final long DISK_BYTES = 100L * 1_000_000_000;
    private static final Pattern HOSTNAME = Pattern.compile("^[a-z0-9][a-z0-9-]{0,62}(?:[.][a-z0-9-]{1,63})*$");

    /** One validation with its result. */
    record Validation(String group, String id, String status, String message) {

        static final String SUCCESS = "success";
        static final String FAILURE = "failure";
        /** The service cannot evaluate what it has. */
        static final String ERROR = "error";
        /** The service lacks data to decide. */
        static final String PENDING = "pending";

        boolean met() {
            return status.equals(SUCCESS);
        }

        Map<String, Object> toStatus() {
            Map<String, Object> status = new LinkedHashMap<>();
            status.put("id", id);
            status.put("status", this.status);
            status.put("message", message);
            return status;
        }
    }

    private HostValidations() {}

    /**
     * Validates a host.
     *
     * @param role requested role; anything but {@code master} has the requirements of a worker, also {@code arbiter}
     * @param others names of the cluster's other hosts
     */
    static List<Validation> of(Map<String, Object> inventory, String role, String hostname, Collection<String> others) {
        boolean master = role.equals(InstallInputs.MASTER);
        String part = InstallInputs.isRole(role) ? role : InstallInputs.WORKER;
        List<Validation> all = new ArrayList<>();
        double memory = number(inventory, "memory", "physicalBytes") / GIBIBYTE;
        int memoryNeeded = master ? MASTER_GIBIBYTES : WORKER_GIBIBYTES;
        all.add(result(
                "hardware",
                "has-memory-for-role",
                memory >= memoryNeeded,
                "Sufficient RAM for role " + part,
                String.format(
                        "Require at least %d.00 GiB RAM for role %s, found only %.2f GiB",
                        memoryNeeded, part, memory)));
        long cpus = (long) number(inventory, "cpu", "count");
        int cpusNeeded = master ? MASTER_CPUS : WORKER_CPUS;
        all.add(result(
                "hardware",
                "has-cpu-cores-for-role",
                cpus >= cpusNeeded,
                "Sufficient CPU cores for role " + part,
                "Require at least " + cpusNeeded + " CPU cores for " + part + " role, found only " + cpus));
        boolean disk = inventory.get("disks") instanceof List<?> disks
                && disks.stream()
                        .anyMatch(d ->
                                Fields.any(d, "sizeBytes") instanceof Number size && size.longValue() >= DISK_BYTES);
        all.add(result(
                "hardware",
                "has-min-valid-disks",
                disk,
                "Sufficient disk capacity",
                "No eligible disks were found, please check specific disks to see why they are not eligible"));
        all.add(result(
                "network",
                "hostname-unique",
                !others.contains(hostname),
                "Hostname " + hostname + " is unique in cluster",
                "Hostname " + hostname + " is not unique in cluster"));
        boolean valid = HOSTNAME.matcher(hostname).matches() && !hostname.startsWith("localhost");
        all.add(result(
                "network",
                "hostname-valid",
                valid,
                "Hostname " + hostname + " is allowed",
                "Hostname " + hostname + " is forbidden, hostname should match pattern " + HOSTNAME));
        return all;
    }

    /** The results of a host that was last checked when it was connected. */
    static List<Validation> disconnected(List<Validation> before) {
        List<Validation> all = new ArrayList<>(before);
        all.add(new Validation("hardware", "connected", Validation.FAILURE, "Host is disconnected"));
        return all;
    }

    /** {@code status.validationsInfo} of an Agent. */
    static Map<String, Object> toStatus(List<Validation> validations) {
        Map<String, Object> groups = new TreeMap<>();
        validations.stream()
                .collect(Collectors.groupingBy(Validation::group, TreeMap::new, Collectors.toList()))
                .forEach((group, members) -> groups.put(
                        group, members.stream().map(Validation::toStatus).toList()));
        return groups;
    }

    /** Messages of the failed validations, joined; empty if there are none. */
    static String failures(List<Validation> validations) {
        return validations.stream()
                .filter(validation -> !validation.met())
                .map(Validation::message)
                .collect(Collectors.joining(","));
    }

    private static Validation result(String group, String id, boolean met, String success, String failure) {
        return new Validation(group, id, met ? Validation.SUCCESS : Validation.FAILURE, met ? success : failure);
    }

    private static double number(Map<String, Object> inventory, String... path) {
        return Fields.any(inventory, path) instanceof Number number ? number.doubleValue() : 0;
    }
}
