package io.capoa.lab.host;

import io.capoa.lab.host.IgnitionConfig.FileEntry;
import io.capoa.lab.host.IgnitionConfig.Unit;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The installed system of a host in a folder: writes the files of its ignition and runs its units in bash. */
final class InstalledSystem {

    /** Limits concurrent boots, because bash needs CPU. */
    private static final Semaphore TURNS =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors()));

    private static final long SECONDS = 120;
    private static final String SEPARATOR = "\037";
    private static final List<String> COMMANDS =
            List.of("systemctl", "hostnamectl", "hostname", "kubectl", "oc", "sudo", "mount", "tee");
    private static final PosixFilePermission[] OWNER = {
        PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE
    };

    private static final String METADATA_SERVICE = "etc/capoa/metadata-service.env";
    private static final String METADATA_URL = "CAPOA_METADATA_URL";

    /** Variable of the units' environment: the folder that is the host's root. */
    private static final String ROOT = "CAPOA_ROOT";

    /** The root of a path that a host has to itself. */
    private static final Pattern HOST_PATH = Pattern.compile("(?<![\\w.$}/-])/(?=(?:etc|run|var|opt|usr/local)\\b)");

    private static final Pattern REPLACED =
            Pattern.compile("(?<![\\w.$}-])/(?:usr/)?s?bin/(" + String.join("|", COMMANDS) + ")\\b");

    private final Path root;
    private final Path commands;

    /** @param commands folder with stand-ins for system commands, see {@link #writeCommands} */
    InstalledSystem(Path root, Path commands) {
        this.root = root;
        this.commands = commands;
    }

    Path root() {
        return root;
    }

    /** Writes the stand-ins and the unit script to a folder that all hosts share. */
    static void writeCommands(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (String command : COMMANDS) {
            write(folder.resolve(command), resource("bin/" + command + ".sh"), 0755);
        }
        write(folder.resolve("run-units"), resource("run-units.sh"), 0755);
    }

    /**
     * Runs the part of ignition in the initramfs: writes files, units and the config drive.
     *
     * @param metaData metadata of the config drive; empty if there is none
     */
    void install(IgnitionConfig config, String hostname, byte[] metaData) throws IOException, Refused {
        for (String folder :
                List.of("etc/kubernetes", "etc/systemd/system", "run", "usr/local/bin", "var/lib/kubelet")) {
            Files.createDirectories(root.resolve(folder));
        }
        if (metaData.length > 0) {
            write(root.resolve("config-2/openstack/latest/meta_data.json"), metaData, 0644);
        }
        write(root.resolve("etc/hostname"), (hostname + "\n").getBytes(StandardCharsets.UTF_8), 0644);
        for (FileEntry file : config.files()) {
            write(below(file.path()), ownPaths(file.content()), file.mode());
        }
        for (Unit unit : config.units()) {
            write(below("/etc/systemd/system/" + unit.name()), unit.text().getBytes(StandardCharsets.UTF_8), 0644);
        }
    }

    /** Configures where the metadata service of the instance is, in the file that the host's unit reads. */
    void metadataService(String url) throws IOException {
        Path file = root.resolve(METADATA_SERVICE);
        Files.createDirectories(file.getParent());
        write(file, (METADATA_URL + "=" + url + "\n").getBytes(StandardCharsets.UTF_8), 0644);
    }

    /** Removes files in memory, as a reboot does. */
    void rebooted() throws IOException {
        Path run = root.resolve("run");
        if (Files.isDirectory(run)) {
            try (var files = Files.walk(run)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(run);
    }

    /** Runs units in one bash; throws {@link Refused} with the output of a failed unit. */
    void run(List<Unit> units) throws IOException, InterruptedException, Refused {
        if (units.isEmpty()) {
            return;
        }
        String plan = units.stream().map(InstalledSystem::line).collect(Collectors.joining("\n", "", "\n"));
        Path log = root.resolve("run/units.log");
        ProcessBuilder builder =
                new ProcessBuilder("bash", commands.resolve("run-units").toString());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", commands + ":/usr/local/bin:/usr/bin:/bin");
        environment.put(ROOT, root.toString());
        environment.put("CAPOA_CONFIG_DRIVE", root.resolve("config-2").toString());
        environment.put("CAPOA_POLL_SECONDS", "1");
        read(METADATA_SERVICE)
                .lines()
                .filter(line -> line.startsWith(METADATA_URL + "="))
                .forEach(line -> environment.put(METADATA_URL, line.substring(METADATA_URL.length() + 1)));
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.directory(root.toFile());
        TURNS.acquire();
        try {
            Process bash = builder.start();
            try (var input = bash.getOutputStream()) {
                input.write(plan.getBytes(StandardCharsets.UTF_8));
            }
            try {
                if (!bash.waitFor(SECONDS, TimeUnit.SECONDS)) {
                    throw new Refused("its units did not end within " + SECONDS + " s");
                }
            } finally {
                bash.descendants().forEach(ProcessHandle::destroyForcibly);
                bash.destroyForcibly();
            }
            if (bash.exitValue() != 0) {
                List<String> lines = Files.readAllLines(log);
                throw new Refused("a unit failed: "
                        + String.join("; ", lines.subList(Math.max(0, lines.size() - 3), lines.size())));
            }
        } finally {
            TURNS.release();
        }
    }

    /** The text of a file; empty if it is absent. */
    String read(String path) throws IOException {
        Path file = root.resolve(path);
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static String line(Unit unit) {
        String sentinel = unit.values("ConditionPathExists").stream()
                .filter(v -> v.startsWith("!"))
                .map(v -> v.substring(1))
                .collect(Collectors.joining(" "));
        return String.join(
                SEPARATOR,
                unit.name(),
                unit.values("EnvironmentFile").stream().findFirst().orElse(""),
                sentinel,
                unit.values("ExecStart").stream().findFirst().orElse("true"));
    }

    /**
     * A script as a host of its own would run it: with the host's root, and with the stand-ins in place of programs of the
     * machine. Other files, and scripts that know of {@value #ROOT}, are as they were.
     */
    private static byte[] ownPaths(byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        if (!text.startsWith("#!") || text.contains(ROOT)) {
            return content;
        }
        String below = HOST_PATH.matcher(text).replaceAll("\\${" + ROOT + "}/");
        return REPLACED.matcher(below).replaceAll("$1").getBytes(StandardCharsets.UTF_8);
    }

    private Path below(String path) throws Refused {
        Path file = root.resolve(path.replaceFirst("^/+", "")).normalize();
        if (!file.startsWith(root)) {
            throw new Refused("its ignition writes outside the root: " + path);
        }
        return file;
    }

    private static void write(Path file, byte[] content, int mode) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, content);
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int bit = 0; bit < OWNER.length; bit++) {
            if ((mode & (0400 >> bit)) != 0) {
                permissions.add(OWNER[bit]);
            }
        }
        Files.setPosixFilePermissions(file, permissions);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream stream = InstalledSystem.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(stream, name).readAllBytes();
        }
    }
}
