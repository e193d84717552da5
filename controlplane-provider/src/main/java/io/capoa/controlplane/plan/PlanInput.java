package io.capoa.controlplane.plan;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import io.capoa.lint.manifest.ManifestFile;
import io.capoa.lint.manifest.ManifestObject;
import io.capoa.lint.manifest.ManifestReader;
import io.capoa.lint.manifest.Manifests;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The objects that a plan is computed from. Of files they are as a user writes them, limited in size, depth and number by
 * {@link ManifestReader}; of a management cluster all that there are in the namespace; of a reconcile see {@link PlanReader}.
 */
public final class PlanInput {

    /** The kinds that are read, and their API groups. */
    static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("Cluster", "cluster.x-k8s.io"),
            Map.entry("MachineDeployment", "cluster.x-k8s.io"),
            Map.entry("OpenshiftAssistedControlPlane", "controlplane.cluster.x-k8s.io"),
            Map.entry("OpenshiftAssistedConfigTemplate", "bootstrap.cluster.x-k8s.io"),
            Map.entry("Metal3MachineTemplate", "infrastructure.cluster.x-k8s.io"),
            Map.entry("NMStateConfig", "agent-install.openshift.io"),
            Map.entry("BareMetalHost", "metal3.io"),
            Map.entry("HardwareData", "metal3.io"),
            Map.entry("Secret", ""),
            Map.entry("ConfigMap", ""));

    private static final JsonMapper JSON = UntrustedContent.jsonBuilder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Where the objects are from, and so what it means that one is not here. */
    enum Origin {
        /** Files: others may exist. */
        FILES,
        /** A namespace of a management cluster, read whole. */
        NAMESPACE,
        /** What a reconcile knows. It judges release, ConfigMaps and the pull secret of the installation itself. */
        RECONCILE
    }

    /** What it means that an object is not here. */
    enum Absence {
        MISSING(Severity.BLOCKING, "does not exist"),
        /** As objects that are applied together with the Cluster, in any order. */
        NOT_YET(Severity.WARNING, "does not exist"),
        NOT_GIVEN(Severity.WARNING, "is not among the files"),
        UNREAD(Severity.UNKNOWN, "was not read");

        private final Severity severity;
        private final String described;

        Absence(Severity severity, String described) {
            this.severity = severity;
            this.described = described;
        }

        /** Of a reference to the object. */
        Severity severity() {
            return severity;
        }

        /** For people, after the name of the object. */
        String described() {
            return described;
        }
    }

    private final Map<Subject, ObjectNode> objects = new LinkedHashMap<>();
    private final List<PlanFinding> unreadable = new ArrayList<>();
    private final Set<String> unread = new HashSet<>();
    private final Origin origin;

    PlanInput(Origin origin) {
        this.origin = origin;
    }

    /**
     * Reads files.
     *
     * @param namespace of objects that name none
     */
    public static PlanInput of(List<ManifestFile> files, String namespace) {
        PlanInput input = new PlanInput(Origin.FILES);
        input.add(files, namespace);
        return input;
    }

    /** Adds the objects of files; one that is there already is replaced. */
    void add(List<ManifestFile> files, String namespace) {
        Manifests manifests = ManifestReader.read(files, KINDS.keySet());
        manifests
                .unreadable()
                .forEach(finding -> unreadable.add(PlanFinding.blocking(
                        PlanCheck.FILE_UNREADABLE,
                        new Subject("File", "", finding.object()),
                        finding.path(),
                        finding.what(),
                        "it cannot be applied",
                        finding.remedy())));
        manifests.objects().stream().filter(PlanInput::isRead).forEach(object -> add(object.content(), namespace));
    }

    private static boolean isRead(ManifestObject object) {
        String group = object.apiVersion().contains("/") ? object.apiVersion().replaceFirst("/.*", "") : "";
        return group.equals(KINDS.get(object.kind()));
    }

    /**
     * Adds an object with its metadata.
     *
     * @return characters of it, as JSON
     */
    int add(Map<?, ?> content, String namespace) {
        ObjectNode object = JSON.valueToTree(content);
        String of = Fields.text(content, "metadata", "namespace");
        String name = Fields.text(content, "metadata", "name");
        Subject subject = new Subject(
                Fields.text(content, "kind"),
                of.isEmpty() ? namespace : UntrustedContent.name(of),
                UntrustedContent.name(name));
        if (name.isEmpty()) {
            unreadable.add(PlanFinding.blocking(
                    PlanCheck.OBJECT_REFUSED,
                    new Subject(subject.kind(), subject.namespace(), "without a name"),
                    "metadata.name",
                    "is missing",
                    "an object without a name cannot be applied",
                    "write it"));
            return 0;
        }
        object.withObject("/metadata").put("namespace", subject.namespace());
        objects.put(subject, object);
        return object.toString().length();
    }

    /** What could not be read. */
    List<PlanFinding> unreadable() {
        return unreadable;
    }

    boolean isOfReconcile() {
        return origin == Origin.RECONCILE;
    }

    /** Objects of a kind could not be read, or not all of them: then none counts. */
    void unread(String kind) {
        unread.add(kind);
        objects.keySet().removeIf(subject -> subject.kind().equals(kind));
    }

    /** What it means that an object of the kind is not here. */
    Absence absence(String kind) {
        return unread.contains(kind)
                ? Absence.UNREAD
                : switch (origin) {
                    case FILES -> Absence.NOT_GIVEN;
                    case NAMESPACE -> Absence.MISSING;
                    case RECONCILE -> Absence.NOT_YET;
                };
    }

    /** The objects of a kind, in order. */
    Stream<Subject> ofKind(String kind) {
        return objects.keySet().stream().filter(subject -> subject.kind().equals(kind));
    }

    /** The objects of a kind and namespace that can be read as a type, in order. */
    <T extends HasMetadata> List<T> all(Class<T> type, String kind, String namespace) {
        return ofKind(kind)
                .filter(subject -> subject.namespace().equals(namespace))
                .flatMap(subject -> find(type, subject).stream())
                .toList();
    }

    /** The object as written. */
    Optional<ObjectNode> find(Subject subject) {
        return Optional.ofNullable(objects.get(subject));
    }

    /** The object as a type; empty if it is not there, or has a field of another type, which {@link PlanObjects} reports. */
    <T extends HasMetadata> Optional<T> find(Class<T> type, Subject subject) {
        return find(subject).flatMap(object -> {
            try {
                return Optional.of(JSON.convertValue(object, type));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        });
    }

    /** The object as a type of its own that is built from another one. */
    static <T> T convert(Object value, Class<T> type) {
        return JSON.convertValue(value, type);
    }
}
