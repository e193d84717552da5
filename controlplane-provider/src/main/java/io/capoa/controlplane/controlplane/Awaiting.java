package io.capoa.controlplane.controlplane;

import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.watch.Awaited.Target;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What lets a reconcile go on that no watched kind tells. */
final class Awaiting {

    /** The API server refused a write: only another attempt shows whether it still does. */
    private static final Duration UNTIL_NEXT_ATTEMPT = Duration.ofSeconds(10);

    /** What others write at the moment of a write of ours wakes nobody: it is looked for once more. */
    static final Duration AFTER_WRITES = Duration.ofMillis(200);

    private Awaiting() {}

    /** Objects that nobody watches for us, and whose change would let us go on. */
    static Set<Target> objects(Progress progress, InputsStep.Inputs inputs) {
        Set<Target> missing = new HashSet<>(inputs.watched());
        if (progress.machines() instanceof MachineStep.Outcome.Failed failed && failed.awaited() != null) {
            missing.add(failed.awaited());
        }
        String pullSecret = InstallPullSecret.chosen(progress.observation().identity());
        if (progress.release() instanceof ReleaseState.Unavailable
                && pullSecret != null
                && ObjectName.isValid(pullSecret)) {
            missing.add(Target.secret(progress.observation().identity().namespace(), pullSecret));
        }
        switch (progress.kubeconfig()) {
            case KubeconfigStep.Outcome.SourceMissing source -> missing.add(source.source());
            case KubeconfigStep.Outcome.Available available -> {
                if (available.unwatched() != null) {
                    missing.add(available.unwatched());
                }
            }
            case KubeconfigStep.Outcome.UserProvided ignored -> {}
            case KubeconfigStep.Outcome.NotYet ignored -> {}
            case KubeconfigStep.Outcome.SourceUnusable ignored -> {}
        }
        return missing;
    }

    static @Nullable Duration attemptAgain(Progress progress) {
        if (progress.machines() instanceof MachineStep.Outcome.Failed failed && failed.again() != null) {
            return failed.again();
        }
        boolean refused = progress.install() instanceof InstallStep.Outcome.Refused
                || (progress.machines() instanceof MachineStep.Outcome.Failed failed && failed.awaited() == null);
        return refused ? UNTIL_NEXT_ATTEMPT : progress.checks().left();
    }
}
