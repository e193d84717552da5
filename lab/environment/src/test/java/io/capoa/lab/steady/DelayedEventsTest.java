package io.capoa.lab.steady;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A watch under the agent: a quarter of the events arrives late, all arrive, and in their order. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class DelayedEventsTest {

    private static final int EVENTS = 80;
    private static final long LATE_MILLIS = 100;

    @Test
    void aQuarterOfTheEventsComesLate_allInTheirOrder(TestCluster cluster, @TempDir Path folder) throws Exception {
        String namespace = "steady-delays";
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();

        List<Seen> seen = watched(folder, cluster.adminKubeconfig(), namespace);

        assertThat(seen)
                .extracting(Seen::name)
                .containsExactlyElementsOf(
                        IntStream.range(0, EVENTS).mapToObj(i -> "m-" + i).toList());
        // Events behind a late one are late as well.
        assertThat(seen.stream().filter(event -> event.millis() > LATE_MILLIS).count())
                .isGreaterThanOrEqualTo(EVENTS / 8);
    }

    /** An event, and how long after the answer to the write it was seen. */
    private record Seen(String name, long millis) {}

    private static List<Seen> watched(Path folder, Path kubeconfig, String namespace) throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-javaagent:" + agent(folder) + "=7",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Latencies.class.getName(),
                        kubeconfig.toString(),
                        namespace)
                .redirectErrorStream(true)
                .start();
        String output = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output).contains("seed 7");
        assertThat(jvm.waitFor()).as(output).isZero();
        return output.lines()
                .filter(line -> line.startsWith("m-"))
                .map(line -> line.split(" "))
                .map(parts -> new Seen(parts[0], Long.parseLong(parts[1])))
                .toList();
    }

    /** The agent's jar as .ci/steady makes it. */
    private static Path agent(Path folder) throws IOException {
        Path jar = folder.resolve("steady.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", DelayedEvents.class.getName());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (Class<?> part : DelayedEvents.class.getNestMembers()) {
                String entry = part.getName().replace('.', '/') + ".class";
                out.putNextEntry(new ZipEntry(entry));
                try (InputStream in =
                        Objects.requireNonNull(part.getClassLoader().getResourceAsStream(entry))) {
                    in.transferTo(out);
                }
            }
        }
        return jar;
    }

    /** The watching process. */
    static final class Latencies {

        private Latencies() {}

        /** Prints for each object that it creates when its watch saw it. */
        public static void main(String[] arguments) throws Exception {
            Map<String, Long> written = new ConcurrentHashMap<>();
            Map<String, Long> seen = new ConcurrentHashMap<>();
            List<String> order = new ArrayList<>();
            CountDownLatch all = new CountDownLatch(EVENTS);
            Config config = Config.fromKubeconfig(Path.of(arguments[0]).toFile());
            try (KubernetesClient client =
                    new KubernetesClientBuilder().withConfig(config).build()) {
                Watch unused = client.configMaps()
                        .inNamespace(arguments[1])
                        .withLabel("steady")
                        .watch(new Watcher<>() {
                            @Override
                            public void eventReceived(Action action, ConfigMap map) {
                                seen.put(map.getMetadata().getName(), System.nanoTime());
                                order.add(map.getMetadata().getName());
                                all.countDown();
                            }

                            @Override
                            public void onClose(WatcherException cause) {
                                cause.printStackTrace();
                            }
                        });
                for (int i = 0; i < EVENTS; i++) {
                    client.resource(new ConfigMapBuilder()
                                    .withNewMetadata()
                                    .withNamespace(arguments[1])
                                    .withName("m-" + i)
                                    .addToLabels("steady", "")
                                    .endMetadata()
                                    .build())
                            .create();
                    written.put("m-" + i, System.nanoTime());
                }
                if (!all.await(30, TimeUnit.SECONDS)) {
                    System.exit(1);
                }
                order.forEach(name -> System.out.println(name + " "
                        + TimeUnit.NANOSECONDS.toMillis(
                                Objects.requireNonNull(seen.get(name)) - Objects.requireNonNull(written.get(name)))));
                System.exit(0);
            }
        }
    }
}
