import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Writes one jar of a program and its libraries: {@code RunnableJar TARGET MAIN-CLASS VERSION PROGRAM LIBRARIES}, the last
 * one a folder. Of files with the same name the program's is taken, then that of the first library; lists of services are
 * joined; licences and notices are kept for each library. The same files give the same bytes.
 */
final class RunnableJar {

    /** The earliest time that a zip knows, without a time zone. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final SortedMap<String, byte[]> files = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        RunnableJar jar = new RunnableJar();
        jar.add(Path.of(arguments[3]));
        try (Stream<Path> libraries = Files.list(Path.of(arguments[4]))) {
            for (Path library : libraries.sorted().toList()) {
                jar.add(library);
            }
        }
        jar.write(Path.of(arguments[0]), arguments[1], arguments[2]);
    }

    private void add(Path library) throws IOException {
        String name = library.getFileName().toString().replaceFirst("\\.jar$", "");
        try (JarFile jar = new JarFile(library.toFile())) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                if (!entry.isDirectory() && isKept(entry.getName())) {
                    try (InputStream content = jar.getInputStream(entry)) {
                        add(name, entry.getName(), content.readAllBytes());
                    }
                }
            }
        }
    }

    private void add(String library, String file, byte[] content) {
        if (file.startsWith("META-INF/services/")) {
            files.merge(file, content, RunnableJar::joined);
        } else if (isLicence(file)) {
            files.put("META-INF/licenses/" + library + file.substring(file.lastIndexOf('/')), content);
        } else {
            files.putIfAbsent(file, content);
        }
    }

    /** Not what describes or signs the jar that it comes from. */
    private static boolean isKept(String file) {
        return !file.endsWith("module-info.class") && !file.matches("META-INF/[^/]+\\.(MF|SF|RSA|DSA|EC|LIST)");
    }

    private static boolean isLicence(String file) {
        return file.toUpperCase(Locale.ROOT).matches("META-INF/(.*/)?(LICEN[CS]E|NOTICE)[^/]*");
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + 1 + second.length);
        both[first.length] = '\n';
        System.arraycopy(second, 0, both, first.length + 1, second.length);
        return both;
    }

    private void write(Path target, String mainClass, String version) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, mainClass);
        attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        attributes.put(Attributes.Name.MULTI_RELEASE, "true");
        attributes.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        manifest.write(text);
        try (OutputStream file = Files.newOutputStream(target);
                JarOutputStream jar = new JarOutputStream(file)) {
            write(jar, JarFile.MANIFEST_NAME, text.toByteArray());
            for (var entry : files.entrySet()) {
                write(jar, entry.getKey(), entry.getValue());
            }
        }
    }

    private static void write(JarOutputStream jar, String name, byte[] content) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTimeLocal(TIME);
        jar.putNextEntry(entry);
        jar.write(content);
        jar.closeEntry();
    }
}
