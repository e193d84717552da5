package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.release.DistributionVersion;
import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/versions.md} has the versions of the build. */
class DocumentedVersionsTest {

    private final Path root = ProjectRoot.find();
    private final String page = read("docs/versions.md");

    @Test
    void whatTheLabBuilds_hasTheVersionThatItBuilds() {
        assertThat(row("Kubernetes")).contains(" " + module("kubernetes", "k8s.io/kubernetes") + " ");
        assertThat(row("Cluster API core")).contains(" " + module("cluster-api", "sigs.k8s.io/cluster-api") + " ");
        assertThat(row("for [updates of workers in place](upgrade.md#workers)"))
                .contains(" " + module("cluster-api", "sigs.k8s.io/cluster-api") + " ");
        assertThat(row("cert-manager"))
                .contains(" " + module("cert-manager", "github.com/cert-manager/cert-manager") + " ");
        assertThat(row("Cluster API operator, in place of clusterctl"))
                .contains(" " + module("cluster-api-operator", "sigs.k8s.io/cluster-api-operator") + ",");
        assertThat(row("kube-state-metrics, for the [alerts](alerts.md)"))
                .contains(" " + module("kube-state-metrics", "k8s.io/kube-state-metrics/v2") + " ");
        assertThat(row("Go")).contains(" " + found("lab/binaries/kubernetes/go.mod", "(?m)^go (\\d+\\.\\d+)") + ",");
    }

    @Test
    void javaMavenAndLibraries_areThoseOfThePom() {
        assertThat(row("Java")).contains(" " + found("pom.xml", "<version>\\[(\\d+),\\d+\\)</version>") + ",");
        assertThat(row("Maven")).contains(" " + found("pom.xml", "<version>\\[(3[0-9.]+),\\)</version>") + " or later");
        assertThat(row("fabric8 kubernetes-client, java-operator-sdk"))
                .contains(" " + found("pom.xml", "<fabric8.version>([^<]+)<") + ", "
                        + found("pom.xml", "<josdk.version>([^<]+)<") + " ");
    }

    /** By {@code .ci/newest --table}, which also keeps what was tried last. */
    @Test
    void theTableOfNewestReleases_hasTheVersionsOfTheBuild() {
        List<String> names = List.of(
                found(".github/workflows/newest.yml", "(?m)^ *name: \\[(.*)]$").split(", "));

        List<String> rows = page.lines()
                .dropWhile(line -> !line.startsWith("| dependency |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .toList();

        assertThat(rows).hasSameSizeAs(names);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i))
                    .as("run .ci/newest --table")
                    .startsWith("| `%s` | %s | ".formatted(names.get(i), built(names.get(i))))
                    .matches(".* \\| (- \\| - \\| -|[\\w.+-]+ \\| (pass|fail|as built) \\| \\d{4}-\\d\\d-\\d\\d) \\|");
        }
    }

    private String built(String name) {
        return name.endsWith(".version")
                ? found("pom.xml", "<%s>([^<]+)<".formatted(name))
                : found("lab/binaries/%s/go.mod".formatted(name), "(?m)^require \\S+ v(\\S+)$");
    }

    @Test
    void theOldestRelease_isTheOneThatIsNotRefused() {
        DistributionVersion oldest = DistributionVersion.MINIMUM;
        assertThat(row("OpenShift, OKD on SCOS")).contains(" " + oldest.major() + "." + oldest.minor() + " or later.");
    }

    @Test
    void theContracts_areThoseOfTheReleaseSeries() {
        List<MatchResult> series = Pattern.compile("major: (\\d+)\\s+minor: (\\d+)\\s+contract: (\\w+)")
                .matcher(read("config/metadata.yaml"))
                .results()
                .toList();
        assertThat(series).hasSize(2);
        assertThat(series)
                .allSatisfy(one ->
                        assertThat(row(one.group(1) + "." + one.group(2))).contains("| " + one.group(3) + " |"));
    }

    private String row(String name) {
        return page.lines()
                .filter(line -> line.startsWith("| " + name + " |"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("docs/versions.md has no row " + name));
    }

    private String module(String folder, String name) {
        return found("lab/binaries/" + folder + "/go.mod", "(?m)^require " + Pattern.quote(name) + " v(\\S+)");
    }

    private String found(String file, String regex) {
        Matcher matcher = Pattern.compile(regex).matcher(read(file));
        assertThat(matcher.find()).as("%s in %s", regex, file).isTrue();
        return matcher.group(1);
    }

    private String read(String file) {
        try {
            return Files.readString(root.resolve(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
