package io.capoa.controlplane.admission;

import io.capoa.api.rules.Section;
import io.capoa.controlplane.release.DistributionVersion;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules for the requested release: its format, and whether the running cluster can reach it. */
final class VersionRules {

    /** A version that is a valid image tag and names one release. */
    private static final Pattern FORM = Pattern.compile("\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?");

    /** OpenShift 4.N holds Kubernetes 1.(N+13). */
    private static final int KUBERNETES_AHEAD = 13;

    private static final Pattern KUBERNETES = Pattern.compile("v?1\\.(\\d{1,4})\\..*");

    private VersionRules() {}

    /** Format of {@code distributionVersion}; in a template a patch usually replaces it. */
    static void form(Section field, String version) {
        if (!FORM.matcher(version).matches()) {
            say(
                    field,
                    version + " is not a release version: write three numbers without leading v, such as 4.20.3,"
                            + " or an OKD version such as 4.20.0-okd-scos.5");
            return;
        }
        DistributionVersion.unsupported(version)
                .ifPresent(sentence -> say(field, sentence + ": write a later one, such as 4.20.3"));
    }

    /** A change of the version of a running cluster. */
    static void change(Section field, String wanted, @Nullable String running) {
        Optional<DistributionVersion> from = running == null ? Optional.empty() : DistributionVersion.parse(running);
        Optional<DistributionVersion> to = DistributionVersion.parse(wanted);
        if (from.isEmpty() || to.isEmpty()) {
            return;
        }
        DistributionVersion old = from.get();
        DistributionVersion now = to.get();
        if (now.major() < old.major() || (now.major() == old.major() && now.minor() < old.minor())) {
            field.refuse(
                    wanted + " is older than " + running + ", which the cluster runs: OpenShift cannot go back to an"
                            + " older minor version, write " + running + " or a later one");
        } else if (now.compareTo(old) < 0) {
            field.warn(wanted + " is older than " + running + ", which the cluster runs: OpenShift does not support the"
                    + " way back");
        } else if (now.major() == old.major() && now.minor() > old.minor() + 1) {
            field.warn(wanted + " skips minor versions after " + running + ", which the cluster runs: OpenShift is"
                    + " upgraded one minor version after the other");
        }
    }

    /** Whether {@code spec.version} matches the Kubernetes version of the release. */
    static void kubernetes(Section field, @Nullable String kubernetes, String distribution) {
        Optional<DistributionVersion> release = DistributionVersion.parse(distribution);
        if (kubernetes == null || release.isEmpty() || release.get().major() != 4) {
            return;
        }
        long expected = release.get().minor() + KUBERNETES_AHEAD;
        Matcher version = KUBERNETES.matcher(kubernetes);
        if (version.matches() && Long.parseLong(version.group(1)) != expected) {
            field.warn(kubernetes + " is not the Kubernetes version of " + distribution + ", which holds 1." + expected
                    + ": correct one of the two, or leave spec.version out");
        }
    }

    private static void say(Section field, String sentence) {
        if (field.template()) {
            field.warn(sentence);
        } else {
            field.refuse(sentence);
        }
    }
}
