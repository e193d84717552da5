package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.io.IOException;
import java.util.Map;

/** The rendered MachineConfig that the machine-config server adds to a host's ignition; here only its release. */
public final class MachineConfigRelease {

    /** File on the host. */
    public static final String PATH = "/etc/ignition-machine-config-encapsulated.json";

    private static final String ANNOTATION = "machineconfiguration.openshift.io/release-image-version";

    private MachineConfigRelease() {}

    /** Content of the file for a release, given by its minor version. */
    public static String text(String minor) {
        return Json.text(Map.of("metadata", Map.of("annotations", Map.of(ANNOTATION, minor))));
    }

    /** The minor version in the file; throws {@link IOException} if it is not JSON. */
    public static String minor(byte[] file) throws IOException {
        return Fields.text(Json.parse(file), "metadata", "annotations", ANNOTATION);
    }
}
