import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Unpacks an OCI archive and checks its digests: {@code Unpack ARCHIVE ARCHITECTURE FOLDER} writes {@code rootfs} and
 * {@code config.json}. Owners are not restored; layers that delete files of others are refused.
 */
final class Unpack {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, byte[]> files = new HashMap<>();

    public static void main(String[] arguments) throws IOException {
        try {
            new Unpack().run(Path.of(arguments[0]), arguments[1], Path.of(arguments[2]));
        } catch (IllegalStateException e) {
            System.err.println(arguments[0] + ": " + e.getMessage());
            System.exit(1);
        }
    }

    private void run(Path archive, String architecture, Path folder) throws IOException {
        try (TarArchiveInputStream tar = new TarArchiveInputStream(Files.newInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                files.put(entry.getName(), tar.readAllBytes());
            }
        }
        if (!files.containsKey("oci-layout") || !files.containsKey("index.json")) {
            throw new IllegalStateException("it is not an OCI archive");
        }
        JsonNode image = JSON.readTree(files.get("index.json")).at("/manifests/0");
        JsonNode manifest = JSON.readTree(blob(image));
        if (manifest.has("manifests")) {
            JsonNode described = StreamSupport.stream(manifest.get("manifests").spliterator(), false)
                    .filter(each -> each.at("/platform/architecture").asText().equals(architecture))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("it has no image for " + architecture));
            manifest = JSON.readTree(blob(described));
        }
        byte[] configuration = blob(manifest.get("config"));
        JsonNode uncompressed = JSON.readTree(configuration).at("/rootfs/diff_ids");
        Path root = folder.resolve("rootfs");
        Files.createDirectories(root);
        for (int i = 0; i < manifest.get("layers").size(); i++) {
            layer(blob(manifest.get("layers").get(i)), uncompressed.get(i).asText(), root.toRealPath());
        }
        Files.write(folder.resolve("config.json"), configuration);
    }

    private byte[] blob(JsonNode descriptor) {
        String digest = descriptor.get("digest").asText();
        byte[] content = files.get("blobs/" + digest.replace(':', '/'));
        if (content == null) {
            throw new IllegalStateException("it lacks " + digest);
        }
        verify(digest, sha256().digest(content));
        return content;
    }

    private static void layer(byte[] gzip, String digest, Path root) throws IOException {
        MessageDigest computed = sha256();
        Deque<Runnable> last = new ArrayDeque<>();
        try (DigestInputStream uncompressed =
                        new DigestInputStream(new GZIPInputStream(new ByteArrayInputStream(gzip)), computed);
                TarArchiveInputStream tar = new TarArchiveInputStream(uncompressed)) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path target = root.resolve(entry.getName()).normalize();
                if (!target.startsWith(root) || !target.getParent().toRealPath().startsWith(root)) {
                    throw new IllegalStateException("it has a file outside of its root: " + entry.getName());
                }
                if (target.getFileName().toString().startsWith(".wh.")) {
                    throw new IllegalStateException("it deletes a file of a lower layer: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else if (entry.isSymbolicLink()) {
                    Files.deleteIfExists(target);
                    Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
                } else if (entry.isFile()) {
                    Files.copy(tar, target, StandardCopyOption.REPLACE_EXISTING);
                } else {
                    throw new IllegalStateException("it has a special file: " + entry.getName());
                }
                if (!entry.isSymbolicLink()) {
                    int mode = entry.getMode();
                    FileTime modified = entry.getLastModifiedTime();
                    last.push(() -> restore(target, mode, modified));
                }
            }
            uncompressed.transferTo(java.io.OutputStream.nullOutputStream());
        }
        // Folders after their content, whose creation changes their time.
        last.forEach(Runnable::run);
        verify(digest, computed.digest());
    }

    private static void restore(Path file, int mode, FileTime modified) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int i = 0; i < all.length; i++) {
            if ((mode & (0400 >> i)) != 0) {
                permissions.add(all[i]);
            }
        }
        try {
            Files.setPosixFilePermissions(file, permissions);
            Files.setLastModifiedTime(file, modified);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void verify(String expected, byte[] digest) {
        if (!expected.equals("sha256:" + HexFormat.of().formatHex(digest))) {
            throw new IllegalStateException("it is damaged: " + expected + " has other content");
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
