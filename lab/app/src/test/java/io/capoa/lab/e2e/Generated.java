package io.capoa.lab.e2e;

import io.capoa.lab.clusterctl.Output;
import java.nio.file.Path;
import java.util.Map;

/** Output of {@code clusterctl generate cluster} with the release's templates. */
final class Generated {

    /** The Kubernetes version of the default release of the templates. */
    static final String KUBERNETES = "v1.33.5";

    private static final Map<String, String> VALUES = Map.of(
            "BASE_DOMAIN", "lab.example",
            "API_VIP", "192.0.2.10",
            "INGRESS_VIP", "192.0.2.11",
            "IMAGE_URL", "http://images.lab.example/rhcos-nutanix.x86_64.qcow2",
            "IMAGE_CHECKSUM", "http://images.lab.example/rhcos-nutanix.x86_64.qcow2.sha256");

    private Generated() {}

    /** A cluster with three control planes and two workers. */
    static String cluster(RealLab lab, String template, String name, String namespace) {
        Output output = lab.clusterctl()
                .withVariables(VALUES)
                .run(
                        "generate",
                        "cluster",
                        name,
                        "--from=" + file(lab, template),
                        "--target-namespace=" + namespace,
                        "--kubernetes-version=" + KUBERNETES,
                        "--control-plane-machine-count=3",
                        "--worker-machine-count=2")
                .orThrow();
        return output.text();
    }

    /** A file of the release that was installed first. */
    static Path file(RealLab lab, String name) {
        return lab.clusterctl()
                .repository()
                .providers()
                .resolve("control-plane-openshift-assisted")
                .resolve(RealLab.VERSION)
                .resolve(name);
    }
}
