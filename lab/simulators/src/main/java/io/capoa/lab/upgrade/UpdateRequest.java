package io.capoa.lab.upgrade;

import java.util.List;

/**
 * {@code spec.desiredUpdate} of a ClusterVersion.
 *
 * @param version empty if only the image is given
 * @param image empty if only the version is given
 * @param architecture empty or {@code Multi}
 * @param acceptRisks names of risks that the user accepts
 */
public record UpdateRequest(
        String version, String image, boolean force, String architecture, List<String> acceptRisks) {

    public UpdateRequest {
        acceptRisks = List.copyOf(acceptRisks);
    }
}
