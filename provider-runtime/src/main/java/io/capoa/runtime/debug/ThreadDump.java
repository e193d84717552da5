package io.capoa.runtime.debug;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import io.capoa.runtime.health.Endpoint.Response;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The stacks of all threads, virtual ones too. */
public final class ThreadDump {

    private ThreadDump() {}

    /** The dump as text. The JVM writes it only into a file, so that it needs a folder for temporary ones. */
    public static Response answer() {
        try {
            Path folder = Files.createTempDirectory("threads");
            Path file = folder.resolve("dump.txt");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
                return Response.text(200, Files.readString(file));
            } finally {
                Files.deleteIfExists(file);
                Files.delete(folder);
            }
        } catch (IOException e) {
            return Response.text(500, "the threads cannot be written into a temporary file: " + e.getMessage() + "\n");
        }
    }
}
