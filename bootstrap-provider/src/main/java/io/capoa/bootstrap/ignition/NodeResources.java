package io.capoa.bootstrap.ignition;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Scripts and systemd units for hosts: resources beside this class, the same for every host. */
enum NodeResources {
    CONFIGDRIVE_METADATA("configdrive_metadata.sh"),
    CLOUD_METADATA("cloud_metadata.sh"),
    AWS_METADATA("aws_metadata.sh"),
    AZURE_METADATA("azure_metadata.sh"),
    GCP_METADATA("gcp_metadata.sh"),
    OPENSTACK_METADATA("openstack_metadata.sh"),
    EXPAND_METADATA("expand_metadata.sh"),
    KUBELET_CUSTOM_LABELS("kubelet_custom_labels.sh"),
    SET_HOSTNAME("set_hostname.sh"),
    PRE_BOOTSTRAP("pre_bootstrap.sh"),
    POST_BOOTSTRAP("post_bootstrap.sh"),
    INJECT_PROVIDER_ID("inject_provider_id.sh"),
    BOOTSTRAP_SUCCESS("bootstrap_success.sh"),
    CONFIGDRIVE_METADATA_UNIT("configdrive-metadata.service"),
    CLOUD_METADATA_UNIT("capoa-cloud-metadata.service"),
    KUBELET_CUSTOM_LABELS_UNIT("kubelet-customlabels.service"),
    SET_HOSTNAME_UNIT("set-hostname.service"),
    PRE_BOOTSTRAP_UNIT("capoa-pre-bootstrap.service"),
    POST_BOOTSTRAP_UNIT("capoa-post-bootstrap.service"),
    INJECT_PROVIDER_ID_UNIT("capoa-inject-provider-id.service"),
    BOOTSTRAP_SUCCESS_UNIT("capoa-bootstrap-success.service");

    private final String fileName;
    private final String content;

    NodeResources(String fileName) {
        this.fileName = fileName;
        this.content = read(fileName);
    }

    /** The script as a file of the host. */
    NodeFile at(String path, int mode) {
        return new NodeFile(path, mode, content);
    }

    /** The unit under its own name. */
    Unit unit() {
        return new Unit(fileName, content);
    }

    /** The unit with the directory of run-once markers in its condition. */
    Unit unit(String sentinelDirectory) {
        return new Unit(fileName, content.replace("@SENTINEL_DIR@", sentinelDirectory));
    }

    private static String read(String fileName) {
        try (InputStream stream = NodeResources.class.getResourceAsStream(fileName)) {
            if (stream == null) {
                throw new IllegalStateException("Resource " + fileName + " is missing from the build");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
