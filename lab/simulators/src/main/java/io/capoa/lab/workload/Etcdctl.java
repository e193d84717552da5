package io.capoa.lab.workload;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Simulates commands of {@code etcdctl} in the etcd pod, with output and exit codes. */
final class Etcdctl {

    private static final String TIMED_OUT = "context deadline exceeded";

    /** Output and exit code of a command. */
    record Output(String out, String error, int exitCode) {

        static Output failed(String message) {
            return new Output("", "Error: " + message + "\n", 1);
        }
    }

    private final Etcd etcd;

    Etcdctl(Etcd etcd) {
        this.etcd = etcd;
    }

    /** Runs a command line, program name first. */
    Output run(List<String> command) {
        List<String> words = new ArrayList<>(command);
        boolean json = words.remove("--write-out=json");
        int flag = words.indexOf("-w");
        if (flag >= 0 && flag + 1 < words.size()) {
            json |= words.remove(flag + 1).equals("json");
            words.remove(flag);
        }
        words.removeIf(word -> word.startsWith("--command-timeout="));
        if (words.equals(List.of("etcdctl", "endpoint", "health", "--cluster"))) {
            return health();
        }
        if (!etcd.hasQuorum()) {
            return Output.failed(TIMED_OUT);
        }
        if (words.equals(List.of("etcdctl", "endpoint", "status", "--cluster"))) {
            return status();
        }
        if (words.size() == 3 && words.subList(0, 2).equals(List.of("etcdctl", "move-leader"))) {
            return etcd.moveLeader(Long.parseUnsignedLong(words.get(2), 16))
                    ? new Output("Leadership transferred\n", "", 0)
                    : Output.failed("etcdserver: bad leader transferee");
        }
        if (words.equals(List.of("etcdctl", "member", "list"))) {
            return json ? list() : Output.failed("only JSON is written here");
        }
        if (words.size() == 4 && words.subList(0, 3).equals(List.of("etcdctl", "member", "remove"))) {
            return remove(words.get(3));
        }
        return Output.failed("unknown command " + words);
    }

    private Output list() {
        return new Output(
                text(Map.of(
                        "header",
                        Map.of("cluster_id", 7_841_639_068_965_178_418L, "member_id", 1, "raft_term", 2),
                        "members",
                        etcd.members().stream().map(Etcdctl::member).toList())),
                "",
                0);
    }

    /** IDs are unsigned decimal numbers. */
    private static Map<String, Object> member(Etcd.Member member) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("ID", id(member));
        object.put("name", member.started() ? member.name() : "");
        object.put("peerURLs", List.of("https://" + member.address() + ":2380"));
        if (member.started()) {
            object.put("clientURLs", List.of("https://" + member.address() + ":2379"));
        } else {
            object.put("isLearner", true);
        }
        return object;
    }

    private Output health() {
        boolean quorum = etcd.hasQuorum();
        List<Map<String, Object>> all = etcd.members().stream()
                .filter(Etcd.Member::started)
                .map(member -> {
                    boolean healthy = quorum && etcd.isHealthy(member);
                    Map<String, Object> endpoint = new LinkedHashMap<>();
                    endpoint.put("endpoint", "https://" + member.address() + ":2379");
                    endpoint.put("health", healthy);
                    endpoint.put("took", healthy ? "9.2ms" : "5.0s");
                    if (!healthy) {
                        endpoint.put("error", TIMED_OUT);
                    }
                    return endpoint;
                })
                .toList();
        boolean good = all.stream().allMatch(endpoint -> Objects.equals(endpoint.get("health"), true));
        return new Output(text(all), good ? "" : "Error: unhealthy cluster\n", good ? 0 : 1);
    }

    /** Endpoints that answer, as etcdctl writes them; the others make it fail. */
    private Output status() {
        Object leader = etcd.leader().map(Etcdctl::id).orElse(BigInteger.ZERO);
        List<Map<String, Object>> all = etcd.members().stream()
                .filter(etcd::isHealthy)
                .map(member -> Map.of(
                        "Endpoint",
                        "https://" + member.address() + ":2379",
                        "Status",
                        Map.of("header", Map.of("member_id", id(member)), "leader", leader)))
                .toList();
        boolean good = all.size() == etcd.members().size();
        return new Output(text(all), good ? "" : "Error: unhealthy cluster\n", good ? 0 : 1);
    }

    private static BigInteger id(Etcd.Member member) {
        return new BigInteger(Long.toUnsignedString(member.id()));
    }

    private Output remove(String id) {
        long number;
        try {
            number = Long.parseUnsignedLong(id, 16);
        } catch (NumberFormatException e) {
            return Output.failed("bad member ID arg (strconv.ParseUint: parsing \"" + id
                    + "\": invalid syntax), expecting ID in Hex");
        }
        String refusal = etcd.remove(number).refusal();
        return refusal == null
                ? new Output("Member " + id + " removed from cluster cdf818194e3a8c32\n", "", 0)
                : Output.failed(refusal);
    }

    private static String text(Object value) {
        return new String(Json.bytes(value), java.nio.charset.StandardCharsets.UTF_8) + "\n";
    }
}
