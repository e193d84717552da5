package io.capoa.controlplane.release;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import okio.ByteString;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;

/** Searches one layer for one file, by the rules of layered file systems (OCI image layer specification). */
final class LayerSearch {

    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";

    /** Result of the search in one layer. */
    sealed interface Result {
        /** The file is in this layer. */
        record Found(ByteString content) implements Result {}

        /** The path leads elsewhere in the image: search there, again from the newest layer. */
        record Link(String path) implements Result {}

        /** The layer removes the path: older layers do not count. */
        record Removed() implements Result {}

        /** The layer lacks the path: search the next older one. */
        record Absent() implements Result {}
    }

    private LayerSearch() {}

    /**
     * Searches a tar stream as far as it must.
     *
     * @param path without a leading slash
     * @throws IOException the stream is no tar archive, or a header or the file is larger than allowed
     */
    static Result search(InputStream tar, String path, RegistryLimits limits) throws IOException {
        Result result = new Result.Absent();
        TarEntries archive = new TarEntries(tar, limits.header());
        for (TarArchiveEntry entry = archive.next(); entry != null; entry = archive.next()) {
            String name = normalize(entry.getName());
            if (name.equals(path) && entry.isFile() && !entry.isLink() && !entry.isSymbolicLink()) {
                if (entry.getSize() > limits.file()) {
                    throw new IOException("%s is larger than %d bytes".formatted(path, limits.file()));
                }
                return new Result.Found(ByteString.of(archive.content(limits.file())));
            }
            boolean onTheWay = name.equals(path) || path.startsWith(name + "/");
            if (onTheWay && entry.isSymbolicLink()) {
                String rest = path.substring(name.length());
                return new Result.Link(resolve(parent(name), entry.getLinkName()) + rest);
            }
            if (onTheWay && entry.isLink()) {
                return new Result.Link(normalize(entry.getLinkName()));
            }
            if (removes(name, path)) {
                // The layer may yet put a file of its own in the place of the one that it removes.
                result = new Result.Removed();
            }
        }
        return result;
    }

    private static boolean removes(String name, String path) {
        String directory = parent(name);
        String last = directory.isEmpty() ? name : name.substring(directory.length() + 1);
        if (last.equals(OPAQUE)) {
            return directory.isEmpty() || path.startsWith(directory + "/");
        }
        if (!last.startsWith(WHITEOUT)) {
            return false;
        }
        String removed = (directory.isEmpty() ? "" : directory + "/") + last.substring(WHITEOUT.length());
        return path.equals(removed) || path.startsWith(removed + "/");
    }

    private static String parent(String name) {
        return name.contains("/") ? name.substring(0, name.lastIndexOf('/')) : "";
    }

    /** Where a symbolic link leads, within the image. */
    private static String resolve(String directory, String target) {
        return normalize(target.startsWith("/") ? target : directory + "/" + target);
    }

    private static String normalize(String name) {
        Deque<String> parts = new ArrayDeque<>();
        for (String part : name.split("/", -1)) {
            if (part.equals("..")) {
                parts.pollLast();
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.addLast(part);
            }
        }
        return String.join("/", parts);
    }
}
