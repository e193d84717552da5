package io.capoa.lab.failure;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.LogTail;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A folder with the last lines of logs, the objects of namespaces, and the writes to them; without data of Secrets. */
final class FailureFolder {

    private static final int LOG_LINES = 200;

    private final Path folder;

    FailureFolder(Path folder) {
        this.folder = folder;
    }

    /** Saves as much as possible: what cannot be read is told in a file of its own. */
    void save(Throwable failure, List<Evidence> all, Optional<SharedCluster.Use> shared) {
        clear();
        append("failure.txt", trace(failure));
        for (Path log : all.stream().flatMap(Evidence::logs).distinct().toList()) {
            attempt(() -> logs(log));
        }
        for (Evidence.UsedNamespace namespace : namespaces(all, shared)) {
            attempt(() -> objects(namespace));
            attempt(() -> writes(namespace));
        }
    }

    private interface Part {
        void save() throws IOException;
    }

    private void attempt(Part part) {
        try {
            part.save();
        } catch (IOException | RuntimeException e) {
            append("not-saved.txt", trace(e));
        }
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    /** What an earlier run left. */
    private void clear() {
        try {
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                Files.delete(folder);
            }
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write what a failed test leaves to " + folder, e);
        }
    }

    private void append(String file, String text) {
        try {
            Path path = folder.resolve(file);
            Files.writeString(path, Files.exists(path) ? Files.readString(path) + text : text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void logs(Path fileOrFolder) throws IOException {
        if (!Files.isDirectory(fileOrFolder)) {
            append(fileOrFolder.getFileName().toString(), lines(LogTail.of(fileOrFolder, LOG_LINES)));
            return;
        }
        try (Stream<Path> files = Files.list(fileOrFolder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                append(file.getFileName().toString(), lines(LogTail.of(file, LOG_LINES)));
            }
        }
    }

    /** The registered namespaces; if there are none, those that were created since the test has had the shared cluster. */
    private List<Evidence.UsedNamespace> namespaces(List<Evidence> all, Optional<SharedCluster.Use> shared) {
        List<Evidence.UsedNamespace> namespaces = new ArrayList<>(
                all.stream().flatMap(Evidence::namespaces).distinct().toList());
        if (namespaces.isEmpty() && shared.isPresent() && shared.get().begin().isPresent()) {
            TestCluster cluster = shared.get().cluster();
            attempt(() -> audit(cluster).since(shared.get().begin().get(), "\"namespaces\"").stream()
                    .filter(entry -> entry.resource().equals("namespaces")
                            && entry.verb().equals("create")
                            && entry.succeeded())
                    .map(entry -> new Evidence.UsedNamespace(cluster, entry.name()))
                    .distinct()
                    .forEach(namespaces::add));
        }
        return namespaces;
    }

    private static AuditLog audit(TestCluster cluster) {
        return cluster.auditLog().orElseThrow();
    }

    private void objects(Evidence.UsedNamespace namespace) {
        KubernetesClient client = namespace.cluster().admin();
        String file = namespace.name() + ".yaml";
        for (CustomResourceDefinition definition :
                client.apiextensions().v1().customResourceDefinitions().list().getItems()) {
            if (definition.getSpec().getScope().equals("Namespaced")) {
                client.genericKubernetesResources(kind(definition))
                        .inNamespace(namespace.name())
                        .list()
                        .getItems()
                        .forEach(object -> append(file, yaml(client, object)));
            }
        }
        client.v1()
                .events()
                .inNamespace(namespace.name())
                .list()
                .getItems()
                .forEach(event -> append(file, yaml(client, event)));
        append(
                namespace.name() + ".secrets.txt",
                lines(client.secrets().inNamespace(namespace.name()).list().getItems().stream()
                        .map(secret -> secret.getMetadata().getName() + " "
                                + new TreeSet<>(
                                        secret.getData() == null
                                                ? List.of()
                                                : secret.getData().keySet()))
                        .toList()));
    }

    private static ResourceDefinitionContext kind(CustomResourceDefinition definition) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(definition.getSpec().getGroup())
                .withVersion(definition.getSpec().getVersions().stream()
                        .filter(CustomResourceDefinitionVersion::getServed)
                        .map(CustomResourceDefinitionVersion::getName)
                        .findFirst()
                        .orElseThrow())
                .withKind(definition.getSpec().getNames().getKind())
                .withPlural(definition.getSpec().getNames().getPlural())
                .withNamespaced(true)
                .build();
    }

    private static String yaml(KubernetesClient client, HasMetadata object) {
        object.getMetadata().setManagedFields(List.of());
        return client.getKubernetesSerialization().asYaml(object);
    }

    /** The writes in a namespace, of all users and in their order: time, user, verb, URI, status. */
    private void writes(Evidence.UsedNamespace namespace) {
        if (namespace.cluster().auditLog().isEmpty()) {
            return;
        }
        AuditLog audit = audit(namespace.cluster());
        append(
                namespace.name() + ".writes.tsv",
                lines(audit.since(audit.start(), namespace.name()).stream()
                        .filter(entry -> entry.isWrite() && entry.namespace().equals(namespace.name()))
                        .sorted(Comparator.comparing(AuditEntry::time))
                        .map(entry -> String.join(
                                "\t",
                                entry.time().toString(),
                                entry.user(),
                                entry.verb(),
                                entry.uri(),
                                Integer.toString(entry.code())))
                        .toList()));
    }

    private static String lines(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }
}
