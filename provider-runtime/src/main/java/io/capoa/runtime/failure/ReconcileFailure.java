package io.capoa.runtime.failure;

import io.capoa.api.conditions.FailureReasons;
import io.capoa.runtime.client.InvalidNameException;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cause of a failed reconcile for a condition: the request, its resource, the response and the remedy. Contains no
 * request body, and no token of a URL.
 *
 * @param reason one of {@link FailureReasons}
 * @param message a sentence or more
 * @param transientFailure whether it usually resolves itself: shown only when it happens again
 */
public record ReconcileFailure(String reason, String message, boolean transientFailure) {

    private static final int LONGEST_ANSWER = 1000;
    private static final int TOO_MANY_REQUESTS = 429;

    private static final Pattern TOKEN = Pattern.compile("(api_key=|/byapikey/)[^&\\s\"/]+");

    /** How the API server's authorizer refuses; admission refuses with the same code in other words. */
    private static final Pattern MISSING_RIGHT =
            Pattern.compile("User \"([^\"]*)\" cannot (\\S+) resource \"([^\"]*)\" in API group \"([^\"]*)\""
                    + "(?: in the namespace \"([^\"]*)\"| at the cluster scope)?");

    /** How the API server says that it could not convert an object. */
    private static final String CONVERSION = "conversion webhook for ";

    private static final Pattern METHOD = Pattern.compile("Failure executing: ([A-Z]+) at:");

    /**
     * What the exception means.
     *
     * @param provider whose log has more, such as {@code bootstrap}
     * @return empty for a conflict: what is right now shows at the next attempt; and while the manager stops
     */
    public static Optional<ReconcileFailure> of(Throwable failure, String provider) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof KubernetesClientException refused) {
                return isConflict(refused) ? Optional.empty() : Optional.of(of(refused));
            }
            if (cause instanceof ObjectsNotHeldException) {
                return Optional.of(new ReconcileFailure(
                        FailureReasons.OBJECTS_NOT_HELD, String.valueOf(cause.getMessage()), false));
            }
            if (cause instanceof CancellationException) {
                return Optional.empty();
            }
        }
        return Optional.of(new ReconcileFailure(
                FailureReasons.INTERNAL_ERROR,
                "Reconciliation failed with %s and is retried; see the log of the %s provider"
                        .formatted(failure.getClass().getSimpleName(), provider),
                false));
    }

    /** What a request that was not served means. */
    public static ReconcileFailure of(KubernetesClientException refused) {
        if (refused instanceof InvalidNameException) {
            return new ReconcileFailure(FailureReasons.REQUEST_REFUSED, String.valueOf(refused.getMessage()), false);
        }
        String answer = answer(refused);
        if (refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
            Matcher right = MISSING_RIGHT.matcher(answer);
            if (right.find()) {
                return new ReconcileFailure(FailureReasons.FORBIDDEN, grant(answer, right), false);
            }
        }
        if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND && lacksKind(refused)) {
            return new ReconcileFailure(
                    FailureReasons.KIND_NOT_INSTALLED,
                    "The API server does not serve %s: install or upgrade the component that provides it"
                            .formatted(kind(refused)),
                    false);
        }
        if (answer.contains(CONVERSION)) {
            return new ReconcileFailure(
                    FailureReasons.REQUEST_UNANSWERED,
                    ("The API server could not convert objects for %s: %s. Remedy: see that a manager runs behind the"
                                    + " webhook's Service, that network policies let the API server reach it, and that"
                                    + " the CRD has the CA bundle of its certificate; it is retried")
                            .formatted(request(refused), answer),
                    true);
        }
        boolean unanswered = refused.getCode() < HttpURLConnection.HTTP_BAD_REQUEST
                || refused.getCode() == TOO_MANY_REQUESTS
                || refused.getCode() >= HttpURLConnection.HTTP_INTERNAL_ERROR;
        return unanswered
                ? new ReconcileFailure(
                        FailureReasons.REQUEST_UNANSWERED,
                        "The API server did not serve %s: %s; it is retried".formatted(request(refused), answer),
                        true)
                : new ReconcileFailure(
                        FailureReasons.REQUEST_REFUSED,
                        "The API server refused %s: %s; correct the cause, it is retried"
                                .formatted(request(refused), answer),
                        false);
    }

    /** Whether the object was changed in between: nothing is wrong, the next attempt sees the change. */
    public static boolean isConflict(KubernetesClientException refused) {
        Status status = refused.getStatus();
        return refused.getCode() == HttpURLConnection.HTTP_CONFLICT
                && (status == null || !"AlreadyExists".equals(status.getReason()));
    }

    private static String grant(String answer, Matcher right) {
        String namespace = right.group(5);
        String group = right.group(4);
        return "%s. Remedy: grant verb %s on resource %s of API group \"%s\"%s to %s, in a role of your own if the provider's roles lack it"
                .formatted(
                        answer,
                        right.group(2),
                        right.group(3),
                        group,
                        namespace == null ? "" : " in namespace " + namespace,
                        right.group(1));
    }

    /** A missing object has a name in the answer's details, a missing kind has not. */
    private static boolean lacksKind(KubernetesClientException refused) {
        Status status = refused.getStatus();
        return refused.getResourcePlural() != null
                && (status == null
                        || status.getDetails() == null
                        || status.getDetails().getName() == null
                        || status.getDetails().getName().isEmpty());
    }

    private static String kind(KubernetesClientException refused) {
        String group = refused.getGroup();
        return refused.getResourcePlural()
                + (group == null || group.isEmpty() ? "" : "." + group)
                + " as version "
                + refused.getVersion();
    }

    /** Such as {@code delete of agents.agent-install.openshift.io demo/host-1}. */
    private static String request(KubernetesClientException refused) {
        if (refused.getResourcePlural() == null) {
            return "a request";
        }
        String group = refused.getGroup();
        String namespace = refused.getNamespace();
        String name = refused.getName();
        return verb(refused)
                + " of "
                + refused.getResourcePlural()
                + (group == null || group.isEmpty() ? "" : "." + group)
                + (namespace == null && name == null ? "" : " ")
                + (namespace == null ? "" : namespace)
                + (namespace == null || name == null ? "" : "/")
                + (name == null ? "" : name);
    }

    private static String verb(KubernetesClientException refused) {
        Matcher method = METHOD.matcher(String.valueOf(refused.getMessage()));
        return switch (method.find() ? method.group(1) : "") {
            case "GET" -> refused.getName() == null ? "list" : "get";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> "a request";
        };
    }

    /** One line of the API server's own; the client's message would quote the whole request. */
    private static String answer(KubernetesClientException refused) {
        @Nullable
        String message =
                refused.getStatus() == null ? null : refused.getStatus().getMessage();
        if (message == null || message.isBlank()) {
            return refused.getCode() == 0 ? "there was no answer" : "code " + refused.getCode();
        }
        String line = TOKEN.matcher(message.replaceAll("\\s+", " ").strip()).replaceAll("$1…");
        return line.length() <= LONGEST_ANSWER ? line : line.substring(0, LONGEST_ANSWER) + "…";
    }
}
