package io.capoa.runtime.status;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each transition of a cluster, machine or host as one line: which object, from which state, to which, and why. Only
 * what writes conditions calls it, after the write, so that no line is repeated by a reconcile that changes nothing.
 */
public final class TransitionLog {

    private static final Logger LOG = LoggerFactory.getLogger(TransitionLog.class);
    private static final Set<String> SHOWN_OWNERS = Set.of("Machine", "Cluster");

    private TransitionLog() {}

    /** Logs transitions whose write has succeeded. */
    public static void write(HasMetadata object, List<Transition> transitions) {
        for (Transition transition : transitions) {
            LOG.info("{}", line(object, transition));
        }
    }

    /** Such as {@code OpenshiftAssistedConfig demo/a of Machine a: Installed from False (Installing) to True (Installed)}. */
    static String line(HasMetadata object, Transition transition) {
        String who = "%s %s/%s%s"
                .formatted(
                        object.getKind(),
                        object.getMetadata().getNamespace(),
                        object.getMetadata().getName(),
                        owner(object));
        String what = "%s from %s to %s".formatted(transition.type(), transition.from(), transition.to());
        return transition.why().isEmpty() ? who + ": " + what : who + ": " + what + ": " + transition.why();
    }

    private static String owner(HasMetadata object) {
        List<OwnerReference> owners = object.getMetadata().getOwnerReferences();
        return owners.stream()
                .filter(owner -> SHOWN_OWNERS.contains(owner.getKind()))
                .findFirst()
                .map(owner -> " of " + owner.getKind() + " " + owner.getName())
                .orElse("");
    }
}
