import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Writes an image as an OCI layout in a tar: {@code Oci DOCKERFILE ARCHIVE TAG ARCHITECTURE=FOLDER... VARIABLE=VALUE...}.
 * Each folder of an architecture's folder is the root of one layer, in the order of their names. Labels, user, working
 * directory, ports and entry point are those of the Dockerfile's last stage; the entry point without the option for an AOT
 * cache that no layer has. The same files give the same bytes.
 */
final class Oci {

    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String INDEX = "application/vnd.oci.image.index.v1+json";
    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    private static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

    private static final String AOT_CACHE = "-XX:AOTCache=/";

    /** The earliest time that a zip knows; config/image/assemble gives the files the same one. */
    private static final long SECONDS = 315_532_800;

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private final SortedMap<String, byte[]> blobs = new TreeMap<>();

    public static void main(String[] arguments) throws IOException {
        Map<String, Path> architectures = new LinkedHashMap<>();
        Map<String, String> variables = new TreeMap<>();
        for (String argument : List.of(arguments).subList(3, arguments.length)) {
            String[] parts = argument.split("=", 2);
            if (parts[0].equals("amd64") || parts[0].equals("arm64")) {
                architectures.put(parts[0], Path.of(parts[1]));
            } else {
                variables.put(parts[0], parts[1]);
            }
        }
        Map<String, Object> settings = settings(Path.of(arguments[0]), variables);
        String digest = new Oci().write(settings, architectures, Path.of(arguments[1]), arguments[2]);
        System.out.printf("%s: %s, %s%n", arguments[1], String.join(" and ", architectures.keySet()), digest);
    }

    private String write(Map<String, Object> settings, Map<String, Path> architectures, Path archive, String tag)
            throws IOException {
        List<Object> manifests = new ArrayList<>();
        for (Map.Entry<String, Path> architecture : architectures.entrySet()) {
            Map<String, Object> manifest = manifest(settings, architecture.getKey(), architecture.getValue());
            manifest.put("platform", Map.of("os", "linux", "architecture", architecture.getKey()));
            manifests.add(manifest);
        }
        Map<String, Object> image =
                blob(INDEX, json(Map.of("schemaVersion", 2, "mediaType", INDEX, "manifests", manifests)));
        image.put("annotations", Map.of("org.opencontainers.image.ref.name", tag));

        Files.deleteIfExists(archive);
        try (TarArchiveOutputStream tar = tar(new BufferedOutputStream(Files.newOutputStream(archive)))) {
            file(tar, "oci-layout", 0644, json(Map.of("imageLayoutVersion", "1.0.0")));
            file(
                    tar,
                    "index.json",
                    0644,
                    json(Map.of("schemaVersion", 2, "mediaType", INDEX, "manifests", List.of(image))));
            for (Map.Entry<String, byte[]> blob : blobs.entrySet()) {
                file(tar, "blobs/sha256/" + blob.getKey(), 0644, blob.getValue());
            }
        }
        return (String) image.get("digest");
    }

    private Map<String, Object> manifest(Map<String, Object> settings, String architecture, Path folder)
            throws IOException {
        List<Object> layers = new ArrayList<>();
        List<String> uncompressed = new ArrayList<>();
        List<Object> history = new ArrayList<>();
        String created = String.valueOf(settings.get("created"));
        List<Path> roots = sorted(folder);
        for (Path root : roots) {
            ByteArrayOutputStream gzip = new ByteArrayOutputStream();
            uncompressed.add("sha256:" + layer(root, gzip));
            layers.add(blob(LAYER, gzip.toByteArray()));
            history.add(Map.of("created", created, "created_by", "config/image/oci: " + root.getFileName()));
        }
        Map<String, Object> configuration = new TreeMap<>(settings);
        configuration.put("config", withFiles((Map<?, ?>) settings.get("config"), roots));
        configuration.put("architecture", architecture);
        configuration.put("os", "linux");
        configuration.put("rootfs", Map.of("type", "layers", "diff_ids", uncompressed));
        configuration.put("history", history);
        Map<String, Object> manifest = new TreeMap<>();
        manifest.put("schemaVersion", 2);
        manifest.put("mediaType", MANIFEST);
        manifest.put("config", blob(CONFIG, json(configuration)));
        manifest.put("layers", layers);
        manifest.put("annotations", ((Map<?, ?>) settings.get("config")).get("Labels"));
        return blob(MANIFEST, json(manifest));
    }

    /** The configuration of a container, without an AOT cache that its layers do not have. */
    private static Map<Object, Object> withFiles(Map<?, ?> settings, List<Path> roots) {
        Map<Object, Object> configuration = new TreeMap<>(settings);
        configuration.computeIfPresent("Entrypoint", (key, words) -> ((List<?>) words)
                .stream()
                        .map(Object::toString)
                        .filter(word -> !word.startsWith(AOT_CACHE) || hasFile(roots, word.substring(AOT_CACHE.length())))
                        .toList());
        return configuration;
    }

    private static boolean hasFile(List<Path> roots, String file) {
        return roots.stream().anyMatch(root -> Files.exists(root.resolve(file)));
    }

    /** Writes a layer and returns the digest of its uncompressed bytes. */
    private static String layer(Path root, OutputStream out) throws IOException {
        MessageDigest digest = sha256();
        try (TarArchiveOutputStream tar = tar(new DigestOutputStream(new GZIPOutputStream(out), digest));
                Stream<Path> walked = Files.walk(root)) {
            List<Path> paths = walked.filter(path -> !path.equals(root)).sorted().toList();
            for (Path path : paths) {
                String name = root.relativize(path).toString();
                if (Files.isSymbolicLink(path)) {
                    TarArchiveEntry entry = stamped(new TarArchiveEntry(name, TarConstants.LF_SYMLINK), 0777);
                    entry.setLinkName(Files.readSymbolicLink(path).toString());
                    tar.putArchiveEntry(entry);
                    tar.closeArchiveEntry();
                } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    tar.putArchiveEntry(stamped(new TarArchiveEntry(name + "/"), name.equals("tmp") ? 01777 : 0755));
                    tar.closeArchiveEntry();
                } else {
                    file(tar, name, Files.isExecutable(path) ? 0755 : 0644, Files.readAllBytes(path));
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static TarArchiveOutputStream tar(OutputStream out) {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out, StandardCharsets.UTF_8.name());
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        return tar;
    }

    private static void file(TarArchiveOutputStream tar, String name, int mode, byte[] content) throws IOException {
        TarArchiveEntry entry = stamped(new TarArchiveEntry(name), mode);
        entry.setSize(content.length);
        tar.putArchiveEntry(entry);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    private static TarArchiveEntry stamped(TarArchiveEntry entry, int mode) {
        entry.setMode(mode);
        entry.setModTime(SECONDS * 1000);
        return entry;
    }

    /** The creation time and the configuration of a container, from the last stage of a Dockerfile. */
    private static Map<String, Object> settings(Path dockerfile, Map<String, String> variables) throws IOException {
        Map<String, Object> configuration = new TreeMap<>();
        Map<String, String> labels = new TreeMap<>();
        Map<String, Object> ports = new TreeMap<>();
        String whole = Files.readString(dockerfile);
        String stage = whole.substring(whole.lastIndexOf("\nFROM ") + 1).replaceAll("\\\\\\s*\\n\\s*", " ");
        for (String line : stage.lines().toList()) {
            String[] words = line.split(" ", 2);
            switch (words[0]) {
                case "LABEL" -> labels.putAll(labels(words[1], variables));
                case "USER" -> configuration.put("User", words[1]);
                case "WORKDIR" -> configuration.put("WorkingDir", words[1]);
                case "EXPOSE" -> List.of(words[1].split(" ")).forEach(port -> ports.put(port + "/tcp", Map.of()));
                case "ENTRYPOINT" -> configuration.put("Entrypoint", JSON.readValue(words[1], List.class));
                case "ENV", "CMD", "VOLUME", "STOPSIGNAL" ->
                    throw new IllegalStateException(dockerfile + ": config/image/Oci.java does not know " + words[0]);
                default -> {
                    // Comments, and what config/image/oci does by itself.
                }
            }
        }
        configuration.put("Labels", labels);
        configuration.put("ExposedPorts", ports);
        Map<String, Object> settings = new TreeMap<>();
        settings.put("created", labels.get("org.opencontainers.image.created"));
        settings.put("config", configuration);
        return settings;
    }

    private static Map<String, String> labels(String text, Map<String, String> variables) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = Pattern.compile("([\\w.]+)=\"([^\"]*)\"").matcher(text);
        while (label.find()) {
            String value = Pattern.compile("\\$\\{(\\w+)}")
                    .matcher(label.group(2))
                    .replaceAll(found -> Matcher.quoteReplacement(variables.getOrDefault(found.group(1), "")));
            labels.put(label.group(1), value);
        }
        return labels;
    }

    /** Keeps content and describes it. */
    private Map<String, Object> blob(String type, byte[] content) {
        String digest = HexFormat.of().formatHex(sha256().digest(content));
        blobs.put(digest, content);
        Map<String, Object> descriptor = new TreeMap<>();
        descriptor.put("mediaType", type);
        descriptor.put("digest", "sha256:" + digest);
        descriptor.put("size", content.length);
        return descriptor;
    }

    private static byte[] json(Map<String, Object> object) throws IOException {
        return JSON.writeValueAsBytes(object);
    }

    private static List<Path> sorted(Path folder) throws IOException {
        try (Stream<Path> children = Files.list(folder)) {
            return children.sorted().toList();
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
