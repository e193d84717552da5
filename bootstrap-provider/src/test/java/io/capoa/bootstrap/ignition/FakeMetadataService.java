package io.capoa.bootstrap.ignition;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A cloud's metadata service on loopback, which checks the header that the cloud demands. */
final class FakeMetadataService implements AutoCloseable {

    static final String TOKEN = "AQAEA-session_token==";

    private record Answer(int status, byte[] body) {}

    private final HttpServer server;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String header = "";
    private volatile String expected = "";

    FakeMetadataService() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.start();
    }

    /** The service of the cloud that a config names. */
    FakeMetadataService of(String source) {
        return switch (source) {
            case "AWS" -> aws();
            case "Azure" -> azure();
            case "GCP" -> gcp();
            case "OpenStack" -> openstack();
            default -> throw new IllegalArgumentException(source);
        };
    }

    /** EC2 with IMDSv2 alone. */
    FakeMetadataService aws() {
        return demands("X-aws-ec2-metadata-token", TOKEN)
                .answers("PUT /latest/api/token", TOKEN)
                .answers("GET /latest/meta-data/local-hostname", "ip-10-0-0-1.ec2.internal example.internal")
                .answers(
                        "GET /latest/dynamic/instance-identity/document",
                        "{\"instanceId\":\"i-0abc\",\"instanceType\":\"m6i.xlarge\",\"region\":\"eu-west-1\","
                                + "\"availabilityZone\":\"eu-west-1b\",\"billingProducts\":null}");
    }

    FakeMetadataService azure() {
        return demands("Metadata", "true")
                .answers("GET /metadata/instance/compute?api-version=2021-02-01&format=json", """
                        {"name": "vm-0", "osProfile": {"computerName": "worker-0"}, "vmId": "5c08", "vmSize": "D4s",
                         "location": "westeurope", "zone": "2",
                         "resourceId": "/subscriptions/5B/resourceGroups/My-RG/providers/Microsoft.Compute/virtualMachines/vm-0"}
                        """);
    }

    FakeMetadataService gcp() {
        return demands("Metadata-Flavor", "Google")
                .answers("GET /computeMetadata/v1/project/project-id", "my-project")
                .answers("GET /computeMetadata/v1/instance/id", "1234567890")
                .answers("GET /computeMetadata/v1/instance/name", "worker-0")
                .answers("GET /computeMetadata/v1/instance/zone", "projects/99/zones/europe-west3-a")
                .answers("GET /computeMetadata/v1/instance/machine-type", "projects/99/machineTypes/n2-standard-4");
    }

    /** Nova, which demands no header. */
    FakeMetadataService openstack() {
        return demands("", "").answers("GET /openstack/latest/meta_data.json", """
                {"uuid": "c0ffee", "name": "worker-0", "hostname": "worker-0.novalocal", "availability_zone": "nova",
                 "random_seed": "c2VlZA==", "admin_pass": "secret", "project_id": "p1", "launch_index": 0}
                """);
    }

    /** Requests without that header are refused, but for the request of the token itself. */
    private FakeMetadataService demands(String name, String value) {
        header = name;
        expected = value;
        return this;
    }

    FakeMetadataService answers(String request, String body) {
        return answers(request, 200, body);
    }

    FakeMetadataService answers(String request, int status, String body) {
        answers.put(request, new Answer(status, body.getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    /** The next requests are answered with 503. */
    FakeMetadataService failsFirst(int requestsThatFail) {
        failures.set(requestsThatFail);
        return this;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<String> requests() {
        return requests;
    }

    private void handle(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        requests.add(request);
        Answer answer = answers.getOrDefault(request, new Answer(404, new byte[0]));
        boolean authorized = header.isEmpty()
                || request.startsWith("PUT ")
                || expected.equals(exchange.getRequestHeaders().getFirst(header));
        if (request.startsWith("PUT ")
                && exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token-ttl-seconds") == null) {
            answer = new Answer(400, new byte[0]);
        } else if (!authorized) {
            answer = new Answer(401, new byte[0]);
        } else if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            answer = new Answer(503, new byte[0]);
        }
        try (exchange) {
            byte[] body = answer.body();
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
