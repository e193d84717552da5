package io.capoa.lint;

import io.capoa.api.Annotations;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.lint.manifest.Finding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Blocking findings with which the user wants to install nevertheless.
 *
 * @param reasons the user's, by the {@linkplain Finding#id() ID} of the finding; one without a reason is not accepted
 */
public record AcceptedFindings(Map<String, String> reasons) {

    public AcceptedFindings {
        reasons = reasons.entrySet().stream()
                .filter(reason -> !reason.getValue().isBlank())
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Those of a control plane's annotations, see {@link Annotations#ACCEPT_CCM_FINDING}. */
    public static AcceptedFindings of(@Nullable Map<String, String> annotations) {
        return new AcceptedFindings((annotations == null ? Map.<String, String>of() : annotations)
                .entrySet().stream()
                        .filter(annotation -> annotation.getKey().startsWith(Annotations.ACCEPT_CCM_FINDING))
                        .collect(Collectors.toMap(
                                annotation -> annotation.getKey().substring(Annotations.ACCEPT_CCM_FINDING.length()),
                                Map.Entry::getValue)));
    }

    boolean has(Finding finding) {
        return reasons.containsKey(finding.id());
    }

    /** Why the finding is accepted, for messages. */
    public String reason(Finding finding) {
        return UntrustedContent.quoted(reasons.getOrDefault(finding.id(), ""));
    }

    /** IDs that no finding has, sorted. */
    Set<String> unused(List<Finding> blocking) {
        Set<String> unused = new TreeSet<>(reasons.keySet());
        blocking.forEach(finding -> unused.remove(finding.id()));
        return unused;
    }
}
