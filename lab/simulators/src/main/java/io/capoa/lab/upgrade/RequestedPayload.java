package io.capoa.lab.upgrade;

import java.util.List;
import java.util.Optional;

/**
 * Which payload a spec requests.
 *
 * @param payload empty to stay at the present one
 * @param invalid why the request is ignored; empty if it is not
 */
record RequestedPayload(Optional<Payload> payload, String invalid) {

    private static final RequestedPayload NONE = new RequestedPayload(Optional.empty(), "");

    static RequestedPayload of(ClusterVersionSpec spec, UpdateState state, AvailableUpdates updates) {
        if (spec.desired().isEmpty() || state.isInstalling()) {
            return NONE;
        }
        UpdateRequest request = spec.desired().get();
        if (!request.acceptRisks().isEmpty()) {
            return invalid(
                    "acceptRisks",
                    request.acceptRisks().toString(),
                    "acceptRisks must not be set when the accept risks feature gate is not enabled");
        }
        if (!request.image().isEmpty()) {
            Payload payload = new Payload(request.version(), request.image());
            boolean present = payload.digest().equals(state.desired().digest())
                    && (request.version().isEmpty()
                            || request.version().equals(state.desired().version()));
            return present ? NONE : new RequestedPayload(Optional.of(payload), "");
        }
        return request.version().isEmpty() ? NONE : ofVersion(request.version(), state, updates);
    }

    /**
     * Looks a bare version up. One that is only in the history is valid, but the lookup does not find it: the cluster
     * stays where it is.
     */
    private static RequestedPayload ofVersion(String version, UpdateState state, AvailableUpdates updates) {
        List<Payload> available = updates.available().stream()
                .filter(known -> known.version().equals(version))
                .toList();
        long images = java.util.stream.Stream.concat(
                        available.stream(), state.history().stream().map(HistoryEntry::payload))
                .filter(known -> known.version().equals(version))
                .map(Payload::digest)
                .distinct()
                .count();
        boolean wanted = state.retrieval()
                .filter(retrieval -> retrieval.payload().version().equals(version))
                .isPresent();
        if (images == 0) {
            return wanted
                    ? new RequestedPayload(state.retrieval().map(Retrieval::payload), "")
                    : invalid(
                            "version",
                            version,
                            "when image is empty the update must be a previous version or an available update");
        }
        if (images > 1) {
            return invalid(
                    "version", version, "there are multiple possible payloads for this version, specify the image");
        }
        return new RequestedPayload(available.stream().findFirst(), "");
    }

    private static RequestedPayload invalid(String field, String value, String why) {
        return new RequestedPayload(
                Optional.empty(), "spec.desiredUpdate.%s: Invalid value: \"%s\": %s".formatted(field, value, why));
    }
}
