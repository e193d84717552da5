package io.capoa.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pinned sources of one family of programs: a folder with {@code go.mod} and {@code go.sum}.
 *
 * @param folder folder of the two files
 * @param version version of the programs' module, such as {@code v1.36.3}
 * @param pins short hash of both files
 */
record GoRecipe(Path folder, String version, String pins) {

    private static final int HASH_CHARACTERS = 12;

    static GoRecipe of(Path root, Tool tool) {
        return of(root.resolve("lab").resolve("binaries").resolve(tool.recipe()), tool.goModule());
    }

    static GoRecipe of(Path folder, String goModule) {
        try {
            String module = Files.readString(folder.resolve("go.mod"));
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(Files.readAllBytes(folder.resolve("go.mod")));
            digest.update(Files.readAllBytes(folder.resolve("go.sum")));
            String hash = HexFormat.of().formatHex(digest.digest()).substring(0, HASH_CHARACTERS);
            return new GoRecipe(folder, requiredVersion(module, goModule), hash);
        } catch (IOException e) {
            throw new ClusterException(
                    "Cannot read the pinned version of %s: %s".formatted(goModule, e.getMessage()), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Name of the cache folder for these pins. */
    String cacheName() {
        return version + "-" + pins;
    }

    /** Linker flags that set the reported version; it is {@code v0.0.0-master} without them. */
    String linkerFlags(Tool tool) {
        if (tool.versionPackage().isEmpty()) {
            return "-s -w";
        }
        List<String> numbers =
                Pattern.compile("\\.").splitAsStream(version.substring(1)).toList();
        String variable = "-X %s.".formatted(tool.versionPackage());
        return "-s -w %1$sgitVersion=%2$s %1$sgitMajor=%3$s %1$sgitMinor=%4$s"
                .formatted(variable, version, numbers.get(0), numbers.get(1));
    }

    private static String requiredVersion(String goMod, String module) {
        Matcher matcher = Pattern.compile(
                        "^\\s*(?:require\\s+)?" + Pattern.quote(module) + "\\s+(v\\S+)", Pattern.MULTILINE)
                .matcher(goMod);
        if (!matcher.find()) {
            throw new ClusterException("go.mod requires no %s.".formatted(module));
        }
        return matcher.group(1);
    }
}
