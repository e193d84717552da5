package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/scan} with a stand-in for the database of vulnerabilities. */
class ScanTest {

    private static final String SBOM = """
            {"components": [
              {"purl": "pkg:maven/org.example/one@1.0?type=jar"},
              {"purl": "pkg:maven/io.capoa/capoa-api@0.2.0?type=jar"},
              {"purl": "pkg:maven/org.example/two@2.0?type=jar"}]}
            """;

    @TempDir
    private Path folder;

    private HttpServer database;
    private final BlockingQueue<String> questions = new LinkedBlockingQueue<>();
    private volatile String answer = "";

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("sbom.json"), SBOM);
        database = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        database.createContext("/v1/querybatch", exchange -> {
            questions.add(
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).replaceAll("\\s", ""));
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        database.start();
    }

    @AfterEach
    void stop() {
        database.stop(0);
    }

    @Test
    void librariesWithoutVulnerabilities_pass() {
        answer = "{\"results\": [{}, {}]}";

        Output output = scan();

        assertThat(output.code()).as(output.all()).isZero();
        assertThat(output.text()).isEqualTo("scan: no known vulnerability in 2 libraries\n");
        assertThat(questions)
                .containsExactly("{\"queries\":[{\"package\":{\"purl\":\"pkg:maven/org.example/one@1.0\"}},"
                        + "{\"package\":{\"purl\":\"pkg:maven/org.example/two@2.0\"}}]}");
    }

    @Test
    void aVulnerability_isNamedWithItsLibrary() {
        answer = "{\"results\": [{}, {\"vulns\": [{\"id\": \"GHSA-1\"}, {\"id\": \"GHSA-2\"}]}]}";

        Output output = scan();

        assertThat(output.code()).isOne();
        assertThat(output.messages())
                .startsWith("pkg:maven/org.example/two@2.0: GHSA-1\npkg:maven/org.example/two@2.0: GHSA-2\n"
                        + "scan: 2 known vulnerabilities;");
    }

    @Test
    void anAnswerAboutFewerLibraries_isNotTakenForAPass() {
        answer = "{\"results\": [{}]}";

        Output output = scan();

        assertThat(output.code()).isEqualTo(2);
        assertThat(output.messages()).contains("answers about another number of libraries");
    }

    private Output scan() {
        return Output.of(
                List.of(
                        ProjectRoot.find().resolve(".ci/scan").toString(),
                        folder.resolve("sbom.json").toString()),
                Map.of(
                        "OSV",
                        "http://127.0.0.1:" + database.getAddress().getPort(),
                        "NO_PROXY",
                        "127.0.0.1",
                        "no_proxy",
                        "127.0.0.1"),
                Duration.ofSeconds(30));
    }
}
