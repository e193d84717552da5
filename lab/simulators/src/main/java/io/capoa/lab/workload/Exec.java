package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** {@code exec} in a container of an etcd pod: a WebSocket with a channel for each output and one for the exit code. */
final class Exec {

    private static final String PROTOCOL = "v4.channel.k8s.io";

    private Exec() {}

    /** The values of a query parameter that may be repeated, in order. */
    static List<String> values(String rawQuery, String name) {
        return Arrays.stream(rawQuery.split("&"))
                .filter(pair -> pair.startsWith(name + "="))
                .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
                .toList();
    }

    /** Why the kubelet cannot run the command; empty if it can. */
    static String obstacle(Workload cluster, Map<String, Object> pod, List<String> containers) {
        String node = String.valueOf(Fields.any(pod, "spec", "nodeName"));
        if (!cluster.runs(node)) {
            return "error dialing backend: dial tcp: connect: no route to host";
        }
        boolean known = containers.size() == 1 && List.of("etcdctl", "etcd").contains(containers.getFirst());
        return known ? "" : "container not found";
    }

    static void run(SocketExchange exchange, Etcdctl etcdctl, List<String> command, Tampering tampering)
            throws IOException {
        String request = "exec " + String.join(" ", command);
        boolean changes = command.contains("remove") || command.contains("move-leader");
        Etcdctl.Output output = changes && !tampering.takes(request, new byte[0])
                ? new Etcdctl.Output("done", "", 0)
                : etcdctl.run(command);
        WebSocket socket = exchange.upgrade(PROTOCOL);
        socket.open(WebSocket.OUTPUT);
        send(socket, WebSocket.OUTPUT, request, tampering, output.out());
        send(socket, WebSocket.ERROR_OUTPUT, request, tampering, output.error());
        Map<String, Object> status = output.exitCode() == 0
                ? Map.of("metadata", Map.of(), "status", "Success")
                : Map.of(
                        "metadata",
                        Map.of(),
                        "status",
                        "Failure",
                        "message",
                        "command terminated with non-zero exit code",
                        "reason",
                        "NonZeroExitCode",
                        "details",
                        Map.of(
                                "causes",
                                List.of(Map.of("reason", "ExitCode", "message", String.valueOf(output.exitCode())))));
        send(socket, WebSocket.STATUS, request, tampering, Json.text(status));
        socket.close();
    }

    private static void send(WebSocket socket, int channel, String request, Tampering tampering, String text)
            throws IOException {
        Tampering.Reply reply =
                tampering.reply(request + " " + channel, new Tampering.Reply(101, "application/json", text, true));
        socket.send(channel, reply.body());
        if (!reply.isWhole()) {
            throw new IOException("the connection ends");
        }
    }
}
