package io.capoa.lab.assisted;

import io.capoa.lab.assisted.HostValidations.Validation;
import java.util.ArrayList;
import java.util.List;

/**
 * Validations that fail until the service has enough data of the host, of the other hosts, or of the cluster that the
 * host joins; they pass without user action.
 */
final class FirstRounds {

    /** Number of rounds after which they pass. */
    static final int COUNT = 2;

    private static final int MAJORITY = 3;
    private static final String NETWORK = "network";

    private FirstRounds() {}

    /**
     * The validations of a host in a round.
     *
     * @param round 0 for the first
     * @param joins whether the host is to join a running cluster
     * @param hosts number of hosts of the cluster, including this one
     * @param dns the validations of what the host's DNS says
     */
    static List<Validation> of(int round, boolean joins, boolean single, int hosts, List<Validation> dns) {
        boolean heard = round > 0;
        List<Validation> all = new ArrayList<>();
        if (joins) {
            all.add(check(
                    "ignition-downloadable",
                    heard ? Validation.SUCCESS : Validation.PENDING,
                    heard ? "Ignition is downloadable" : "Ignition is not yet available, pending API connectivity"));
            all.addAll(dns);
            return all;
        }
        if (!single) {
            all.add(majority(round, hosts));
            all.add(later(heard, "mtu-valid", "MTU is ok", "Missing MTU report information"));
        }
        all.add(check(
                "ntp-synced",
                heard ? Validation.SUCCESS : Validation.FAILURE,
                heard ? "Host NTP is synced" : "Host couldn't synchronize with any NTP server"));
        all.addAll(dns);
        if (!single) {
            all.add(later(
                    heard,
                    "sufficient-network-latency-requirement-for-role",
                    "Network latency requirement has been satisfied.",
                    "Missing network latency information."));
            all.add(later(
                    heard,
                    "sufficient-packet-loss-requirement-for-role",
                    "Packet loss requirement has been satisfied.",
                    "Missing packet loss information."));
        }
        return all;
    }

    private static Validation majority(int round, int hosts) {
        String id = "belongs-to-majority-group";
        if (round >= COUNT) {
            return check(id, Validation.SUCCESS, "Host has connectivity to the majority of hosts in the cluster");
        }
        return round == 0 && hosts < MAJORITY
                ? check(id, Validation.PENDING, "Not enough hosts in cluster to calculate connectivity groups")
                : check(id, Validation.FAILURE, "No connectivity to the majority of hosts in the cluster");
    }

    private static Validation later(boolean heard, String id, String success, String pending) {
        return check(id, heard ? Validation.SUCCESS : Validation.PENDING, heard ? success : pending);
    }

    private static Validation check(String id, String status, String message) {
        return new Validation(NETWORK, id, status, message);
    }
}
