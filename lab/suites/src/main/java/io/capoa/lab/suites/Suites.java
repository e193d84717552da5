package io.capoa.lab.suites;

import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds the test classes of all modules in their compiled test code, without loading them. */
final class Suites {

    private static final List<String> MODULES = List.of(
            "api",
            "manifest-lint",
            "provider-runtime",
            "bootstrap-provider",
            "controlplane-provider",
            "lab/environment",
            "lab/simulators",
            "lab/node",
            "lab/app",
            "lab/suites");

    private static final Set<String> TESTS = Set.of(
            "Lorg/junit/jupiter/api/Test;",
            "Lorg/junit/jupiter/api/RepeatedTest;",
            "Lorg/junit/jupiter/api/TestFactory;",
            "Lorg/junit/jupiter/api/TestTemplate;",
            "Lorg/junit/jupiter/params/ParameterizedTest;");
    private static final String TAG = "Lorg/junit/jupiter/api/Tag;";
    private static final String TAGS = "Lorg/junit/jupiter/api/Tags;";

    private final Map<String, ClassModel> classes = new HashMap<>();

    private Suites() {}

    /** Folders of the modules, relative to the root, in the order of the build. */
    static List<String> modules() {
        return MODULES;
    }

    /**
     * All classes with tests of their own or inherited ones, sorted by name.
     *
     * @throws IOException if a module has not been compiled
     */
    static SortedSet<Suite> of(Path root) throws IOException {
        SortedSet<Suite> suites = new TreeSet<>();
        for (String module : MODULES) {
            Path folder = root.resolve(module).resolve("target").resolve("test-classes");
            if (!Files.isDirectory(folder)) {
                throw new IOException("%s does not exist: build the module first".formatted(folder));
            }
            Suites read = new Suites();
            read.addAll(folder);
            read.classes.values().stream()
                    .filter(type -> isTopLevel(type) && read.hasTests(type))
                    .forEach(type -> suites.add(
                            new Suite(module, type.thisClass().asInternalName().replace('/', '.'), read.tags(type))));
        }
        return suites;
    }

    private void addAll(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                ClassModel type = ClassFile.of().parse(file);
                classes.put(type.thisClass().asInternalName(), type);
            }
        }
    }

    private static boolean isTopLevel(ClassModel type) {
        return !type.flags().has(AccessFlag.ABSTRACT)
                && !type.thisClass().asInternalName().contains("$");
    }

    private boolean hasTests(ClassModel type) {
        return lineage(type)
                .flatMap(ancestor -> ancestor.methods().stream())
                .flatMap(Suites::annotations)
                .anyMatch(annotation -> TESTS.contains(annotation.className().stringValue()));
    }

    /** The tags of the class, of those that it extends, and of all their methods. */
    private Set<String> tags(ClassModel type) {
        return lineage(type)
                .flatMap(ancestor -> Stream.concat(Stream.of(ancestor), ancestor.methods().stream()))
                .flatMap(Suites::annotations)
                .flatMap(Suites::tags)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The class and those of its module that it extends. */
    private Stream<ClassModel> lineage(ClassModel type) {
        return Stream.concat(
                Stream.of(type),
                type.superclass()
                        .map(parent -> classes.get(parent.asInternalName()))
                        .map(this::lineage)
                        .orElse(Stream.empty()));
    }

    private static Stream<Annotation> annotations(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
                .flatMap(attribute -> attribute.annotations().stream());
    }

    private static Stream<String> tags(Annotation annotation) {
        String name = annotation.className().stringValue();
        if (!name.equals(TAG) && !name.equals(TAGS)) {
            return Stream.empty();
        }
        return switch (annotation.elements().getFirst().value()) {
            case AnnotationValue.OfString tag -> Stream.of(tag.stringValue());
            case AnnotationValue.OfArray array ->
                array.values().stream()
                        .map(AnnotationValue.OfAnnotation.class::cast)
                        .flatMap(inner -> tags(inner.annotation()));
            default -> throw new IllegalArgumentException("The value of a tag is no text.");
        };
    }
}
