package io.capoa.lab.workload;

import io.capoa.api.contract.Fields;
import java.util.Map;

/** Rules of the ClusterVersion's schema that need more than one field. */
final class ClusterVersionSchema {

    private ClusterVersionSchema() {}

    /** Rejects an object with invalid fields in its spec. */
    static void check(Map<String, Object> object) throws ObjectStore.Rejected {
        if (Fields.text(object, "spec", "clusterID").isEmpty()) {
            throw invalid("spec.clusterID: Required value");
        }
        String architecture = Fields.text(object, "spec", "desiredUpdate", "architecture");
        if (!architecture.isEmpty() && !architecture.equals("Multi")) {
            throw invalid(
                    "spec.desiredUpdate.architecture: Unsupported value: \"%s\": supported values: \"\", \"Multi\""
                            .formatted(architecture));
        }
        if (!architecture.isEmpty()
                && !Fields.text(object, "spec", "desiredUpdate", "image").isEmpty()) {
            throw invalid("spec.desiredUpdate: Invalid value: cannot set both Architecture and Image");
        }
        if (!architecture.isEmpty()
                && Fields.text(object, "spec", "desiredUpdate", "version").isEmpty()) {
            throw invalid("spec.desiredUpdate: Invalid value: Version must be set if Architecture is set");
        }
    }

    private static ObjectStore.Rejected invalid(String what) {
        return new ObjectStore.Rejected(
                422, "Invalid", "ClusterVersion.config.openshift.io \"version\" is invalid: " + what);
    }
}
