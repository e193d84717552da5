package io.capoa.lab.provider;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Writes of both providers that the API server has refused as outdated and that need not have been sent. */
public final class Conflicts {

    private static final Set<String> USERS = Set.of(Provider.BOOTSTRAP.user(), Provider.CONTROL_PLANE.user());

    private Conflicts() {}

    /** Those in a namespace since the beginning, each with its user, verb and object. */
    public static List<String> in(AuditLog log, String namespace) {
        return of(log.since(log.start(), namespace).stream()
                .filter(entry -> entry.namespace().equals(namespace))
                .toList());
    }

    static List<String> of(List<AuditEntry> log) {
        return log.stream()
                .filter(entry -> USERS.contains(entry.user()) && entry.code() == HttpURLConnection.HTTP_CONFLICT)
                .filter(entry -> !isOvertaken(log, entry))
                .map(entry -> "%s %s %s/%s".formatted(entry.user(), entry.verb(), entry.resource(), entry.name()))
                .toList();
    }

    /**
     * Whether another has written the object after the manager's look at it, which comes right before a write that is fenced
     * by the object's version: on a busy machine the two are far enough apart for a status of the service, and the fence
     * holds.
     */
    private static boolean isOvertaken(List<AuditEntry> log, AuditEntry refused) {
        List<AuditEntry> ofTheObject = log.stream()
                .filter(entry -> entry.resource().equals(refused.resource())
                        && entry.name().equals(refused.name()))
                .toList();
        return ofTheObject.stream()
                .filter(entry -> entry.verb().equals("list") && entry.user().equals(refused.user()))
                .map(AuditEntry::received)
                .filter(look -> look.isBefore(refused.received()))
                .max(Comparator.naturalOrder())
                .map(look -> ofTheObject.stream()
                        .filter(entry -> entry.isWrite()
                                && entry.succeeded()
                                && !entry.user().equals(refused.user()))
                        .anyMatch(entry ->
                                entry.time().isAfter(look) && entry.received().isBefore(refused.time())))
                .orElse(false);
    }
}
