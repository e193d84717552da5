package io.capoa.lab.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a Secret, ConfigMap or projected volume in the layout of a kubelet: links through {@code ..data} to a
 * folder that is replaced atomically, so that a reader never sees a certificate of one version and the key of another.
 */
final class AtomicFolder {

    private static final String DATA = "..data";

    private final Path folder;
    private SortedMap<String, byte[]> written = new TreeMap<>();
    private int version;

    AtomicFolder(Path folder) {
        this.folder = folder;
    }

    Path path() {
        return folder;
    }

    /** Replaces the files, by relative path; whether anything has changed. */
    boolean write(SortedMap<String, byte[]> files) throws IOException {
        if (version > 0 && same(files)) {
            return false;
        }
        Files.createDirectories(folder);
        Path previous = folder.resolve(DATA);
        Path old = Files.isSymbolicLink(previous) ? folder.resolve(Files.readSymbolicLink(previous)) : null;
        Path next = folder.resolve("..version-" + ++version);
        remove(next);
        Files.createDirectories(next);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            Path target = next.resolve(file.getKey()).normalize();
            if (!target.startsWith(next)) {
                throw new IOException("The path %s leaves the volume".formatted(file.getKey()));
            }
            Files.createDirectories(target.getParent());
            Files.write(target, file.getValue());
        }
        Path link = folder.resolve("..data_tmp");
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, next.getFileName());
        Files.move(link, previous, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        link(files.keySet());
        if (old != null && !old.equals(next)) {
            remove(old);
        }
        written = files;
        return true;
    }

    /** Links the first element of every path and removes obsolete links. */
    private void link(Set<String> files) throws IOException {
        Set<String> names = new HashSet<>();
        for (String file : files) {
            names.add(Path.of(file).getName(0).toString());
        }
        for (String name : names) {
            Path link = folder.resolve(name);
            if (!Files.isSymbolicLink(link)) {
                Files.createSymbolicLink(link, Path.of(DATA, name));
            }
        }
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path entry : entries.toList()) {
                String name = entry.getFileName().toString();
                if (!name.startsWith("..") && !names.contains(name)) {
                    Files.delete(entry);
                }
            }
        }
    }

    private boolean same(SortedMap<String, byte[]> files) {
        return files.keySet().equals(written.keySet())
                && files.entrySet().stream()
                        .allMatch(file -> java.util.Arrays.equals(file.getValue(), written.get(file.getKey())));
    }

    /** Removes a folder with its content, if it exists. */
    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }
}
