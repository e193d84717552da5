package io.capoa.lab.upgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Result of checking a requested payload.
 *
 * @param payload with version and image
 * @param verified whether its signature was verified
 * @param acceptedRisks failures that did not block; empty for none
 * @param refusal condition ReleaseAccepted=False; empty if the payload is accepted
 */
record PayloadCheck(Payload payload, boolean verified, String acceptedRisks, Optional<Condition> refusal) {

    private static final String ACCEPTED = "ReleaseAccepted";
    private static final String RETRIEVE = "RetrievePayload";

    static PayloadCheck of(Payload requested, boolean force, UpdateState state, Observation seen) {
        Optional<String> version = seen.releases().versionIn(requested.image());
        List<String> risks = new ArrayList<>();
        String unverified = unverified(requested, seen.releases());
        if (!unverified.isEmpty() && !force) {
            return refused(requested, RETRIEVE, retrieving(requested, unverified));
        }
        if (version.isEmpty()) {
            return refused(
                    requested,
                    RETRIEVE,
                    retrieving(requested, "Unable to download and prepare the update: ErrImagePull: manifest unknown"));
        }
        Payload payload = new Payload(version.get(), requested.image());
        if (!unverified.isEmpty()) {
            risks.add("Target release %s cannot be verified, but continuing anyway because the update was forced: %s"
                    .formatted(payload, unverified));
        }
        if (!requested.version().isEmpty() && !requested.version().equals(version.get())) {
            return refused(
                    requested,
                    "VerifyPayloadVersion",
                    "Verifying payload failed %s failure=release image version %s does not match the expected upstream version %s"
                            .formatted(requested, version.get(), requested.version()));
        }
        Preconditions preconditions = Preconditions.of(payload, state, seen);
        if (!preconditions.blocking().isEmpty() && !force) {
            return refused(
                    requested,
                    "PreconditionChecks",
                    "Preconditions failed for payload loaded %s: %s"
                            .formatted(payload, String.join(", ", preconditions.blocking())));
        }
        if (!preconditions.blocking().isEmpty()) {
            risks.add("Forced through blocking failures: " + String.join(", ", preconditions.blocking()));
        }
        risks.addAll(preconditions.warnings());
        return new PayloadCheck(payload, unverified.isEmpty(), String.join("\n", risks), Optional.empty());
    }

    private static String unverified(Payload payload, Releases releases) {
        if (!payload.isByDigest()) {
            return "The update cannot be verified: the image %s is not accessed via digest".formatted(payload.image());
        }
        return releases.isSigned(payload)
                ? ""
                : "The update cannot be verified: unable to verify %s against keyrings: verifier-public-key-redhat"
                        .formatted(payload.digest());
    }

    private static String retrieving(Payload payload, String why) {
        return "Retrieving payload failed %s failure=%s".formatted(payload, why);
    }

    private static PayloadCheck refused(Payload payload, String reason, String message) {
        return new PayloadCheck(payload, false, "", Optional.of(Condition.no(ACCEPTED, reason, message)));
    }
}
