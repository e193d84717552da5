package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.ModuleHashesAttribute;
import java.lang.classfile.attribute.ModuleTargetAttribute;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * A JDK of the architecture that this machine does not have, whose programs do not run here: the classes of this JDK, and
 * native files that are marked as those of the other architecture.
 */
final class StandInJdk {

    private static final boolean HERE_IS_ARM = System.getProperty("os.arch").equals("aarch64");

    /** That of the images; the other one is this machine's. */
    static final String ARCHITECTURE = HERE_IS_ARM ? "amd64" : "arm64";

    private static final String MACHINE = HERE_IS_ARM ? "x86_64" : "aarch64";

    private static final String BASE = "java.base";
    private static final Pattern GENERATED = Pattern.compile("BoundMethodHandle\\$Species_(?!L\\.class).*");

    /** What the images need, config/image/assemble, and what that needs. */
    private static final List<String> MODULES = List.of(
            BASE,
            "java.logging",
            "java.management",
            "java.naming",
            "java.security.sasl",
            "java.xml",
            "jdk.management",
            "jdk.unsupported");

    private StandInJdk() {}

    /** Writes it. */
    static Path write(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("jmods"));
        Files.writeString(
                folder.resolve("release"),
                "JAVA_VERSION=\"%s\"\nOS_ARCH=\"%s\"\n".formatted(System.getProperty("java.version"), MACHINE));
        Path conf = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(conf.resolve("stand-in.properties"), "");
        for (String module : MODULES) {
            copyClasses(module, folder.resolve("classes").resolve(module));
            if (!module.equals(BASE)) {
                jmod(folder, module, List.of());
            }
        }
        mark(folder, ARCHITECTURE);
        return folder;
    }

    /**
     * Writes the native files, and the module that has them.
     *
     * @param architecture in the terms of images
     */
    static void mark(Path jdk, String architecture) throws IOException {
        for (String file : List.of("bin/java", "lib/jvm.cfg", "lib/libjava.so", "lib/server/libjvm.so")) {
            byte[] content = Files.readAllBytes(Path.of(System.getProperty("java.home"), file));
            if (!file.endsWith(".cfg")) {
                content[18] = architecture.equals("amd64") ? 0x3e : (byte) 0xb7;
            }
            Path copy = jdk.resolve(file);
            Files.createDirectories(copy.getParent());
            Files.write(copy, content);
        }
        Files.deleteIfExists(jdk.resolve("jmods").resolve(BASE + ".jmod"));
        jmod(
                jdk,
                BASE,
                List.of(
                        "--cmds",
                        jdk + "/bin",
                        "--libs",
                        jdk + "/lib",
                        "--config",
                        jdk + "/conf",
                        "--target-platform",
                        "linux-" + MACHINE));
        // Not in the module: one does not run here, and the other is only looked for.
        Files.writeString(jdk.resolve("bin/java"), "\177ELF");
        Files.writeString(jdk.resolve("bin/jlink"), "");
    }

    /** The architecture of a native file, in the terms of images. */
    static String architecture(Path file) throws IOException {
        byte machine = Files.readAllBytes(file)[18];
        return switch (machine) {
            case 0x3e -> "amd64";
            case (byte) 0xb7 -> "arm64";
            default -> "machine %x".formatted(machine);
        };
    }

    /** Without what ties a module to the others of this JDK, and without the classes that jlink generates. */
    private static void copyClasses(String module, Path target) throws IOException {
        Path root = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", module);
        try (Stream<Path> walked = Files.walk(root)) {
            for (Path file : walked.filter(Files::isRegularFile)
                    .filter(file ->
                            !GENERATED.matcher(file.getFileName().toString()).matches())
                    .toList()) {
                Path copy = target.resolve(root.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        Path description = target.resolve("module-info.class");
        ClassFile format = ClassFile.of();
        Files.write(
                description,
                format.transformClass(
                        format.parse(description),
                        ClassTransform.dropping(element ->
                                element instanceof ModuleHashesAttribute || element instanceof ModuleTargetAttribute)));
    }

    private static void jmod(Path jdk, String module, List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("create", "--compress", "zip-0"));
        arguments.addAll(List.of("--class-path", "%s/classes/%s".formatted(jdk, module)));
        arguments.addAll(options);
        arguments.add("%s/jmods/%s.jmod".formatted(jdk, module));
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int code = ToolProvider.findFirst("jmod").orElseThrow().run(out, out, arguments.toArray(String[]::new));
        assertThat(code).as(said.toString()).isZero();
    }
}
