package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.runtime.dashboard.DocumentedSeries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} lists the series of the managers, those included that appear only with the first failure. */
class MetricsPageTest {

    private static final Pattern METER =
            Pattern.compile("\"((?:capoa|workqueue|controller\\.runtime|rest\\.client|leader\\.election)\\.[a-z.]+)\"");
    private static final Pattern OF_THE_JVM = Pattern.compile("(jvm|process|system)_.*");

    private final Set<String> documented =
            DocumentedSeries.of("metrics.md").labels().keySet();

    @Test
    void everyMeterInTheSources_isDocumented_andNothingElseIs() throws IOException {
        Set<String> own = documented.stream()
                .filter(name -> !OF_THE_JVM.matcher(name).matches())
                .map(name -> name.replaceFirst("_(total|seconds)$", ""))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(own).hasSizeGreaterThan(10).isEqualTo(meters());
    }

    @Test
    void theSeriesOfTheJvm_areOnThePageAsDocumented() {
        ProcessMeters meters = new ProcessMeters();
        Closers closers = new Closers();
        meters.bindProcess(new ManagerDescription("sample", "lease", "namespace"), closers);
        String page = meters.page().body();
        closers.closeAll();

        assertThat(documented.stream().filter(OF_THE_JVM.asMatchPredicate()))
                .isNotEmpty()
                .allMatch(name -> page.contains("# TYPE " + name + " "));
    }

    private static Set<String> meters() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String module : List.of("provider-runtime", "bootstrap-provider", "controlplane-provider")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file :
                        files.filter(file -> file.toString().endsWith(".java")).toList()) {
                    METER.matcher(Files.readString(file))
                            .results()
                            .map(found -> found.group(1).replace('.', '_'))
                            .forEach(names::add);
                }
            }
        }
        return names;
    }
}
