package io.capoa.controlplane.plan;

import io.capoa.api.untrusted.UntrustedContent;
import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * What will fail or may fail, or what cannot be known.
 *
 * @param path field of the object, such as {@code spec.config.apiVIPs[0]}; empty for the whole object
 * @param what is wrong
 * @param why it matters, such as the check that fails later; may be empty
 * @param remedy what to do instead
 */
public record PlanFinding(
        PlanCheck check, Severity severity, Subject object, String path, String what, String why, String remedy) {

    private static final int LONGEST = 2_000;

    /** From the gravest on. */
    public enum Severity {
        /** The installation cannot complete. */
        BLOCKING,
        /** The installation may fail, or the cluster cannot be operated as it should. */
        WARNING,
        /** Nothing is said about it: something that would be needed for that is not known. */
        UNKNOWN
    }

    /** The object that a person has to change; {@code namespace} is empty for a file. */
    public record Subject(String kind, String namespace, String name) {

        public static Subject of(HasMetadata object) {
            return new Subject(
                    object.getKind(),
                    object.getMetadata().getNamespace(),
                    object.getMetadata().getName());
        }

        @Override
        public String toString() {
            return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
        }
    }

    public PlanFinding {
        path = UntrustedContent.quoted(path);
        what = UntrustedContent.quoted(what, LONGEST);
        why = UntrustedContent.quoted(why, LONGEST);
        remedy = UntrustedContent.quoted(remedy, LONGEST);
    }

    public static PlanFinding blocking(
            PlanCheck check, Subject object, String path, String what, String why, String remedy) {
        return new PlanFinding(check, Severity.BLOCKING, object, path, what, why, remedy);
    }

    public static PlanFinding warning(
            PlanCheck check, Subject object, String path, String what, String why, String remedy) {
        return new PlanFinding(check, Severity.WARNING, object, path, what, why, remedy);
    }

    public static PlanFinding unknown(
            PlanCheck check, Subject object, String path, String what, String why, String remedy) {
        return new PlanFinding(check, Severity.UNKNOWN, object, path, what, why, remedy);
    }

    /** A sentence of a rule of admission or reconcile: what is wrong and, after the last colon with a blank, the remedy. */
    static PlanFinding ofSentence(
            PlanCheck check, Severity severity, Subject object, String path, String sentence, String why) {
        int colon = sentence.lastIndexOf(": ");
        String what = colon < 0 ? sentence : sentence.substring(0, colon);
        String remedy = colon < 0 ? "correct it" : sentence.substring(colon + 2);
        return new PlanFinding(check, severity, object, path, what, why, remedy);
    }

    /** The same finding of another severity. */
    PlanFinding as(Severity other) {
        return new PlanFinding(check, other, object, path, what, why, remedy);
    }
}
