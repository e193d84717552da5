package io.capoa.lint;

import io.capoa.api.untrusted.LongInput;
import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.ManifestFile;
import io.capoa.lint.manifest.ManifestReader;
import io.capoa.lint.manifest.Manifests;
import io.capoa.lint.rules.LintRules;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The findings of the linter, blocking ones first.
 *
 * <p>The rules are those that OpenShift's operator for cloud controller managers has for the manifests it ships; on
 * platform External it ships none, and nothing else checks the user's before the hosts boot.
 */
public record ManifestLint(List<Finding> findings) {

    /**
     * Lints manifests.
     *
     * @param files all manifests of the installation, others than the cloud controller manager's included
     * @param singleNode whether the cluster has a single node
     */
    public static ManifestLint of(List<ManifestFile> files, boolean singleNode) {
        long length = files.stream().mapToLong(file -> file.text().length()).sum();
        return LongInput.parse(length, () -> {
            Manifests manifests = ManifestReader.read(files, LintRules.KINDS);
            return new ManifestLint(
                    Stream.concat(manifests.unreadable().stream(), LintRules.check(manifests, singleNode))
                            .sorted(Comparator.comparing(Finding::severity))
                            .toList());
        });
    }

    /** Findings that stop the installation unless they are accepted. */
    List<Finding> blocking() {
        return findings.stream().filter(Finding::isBlocking).toList();
    }

    /** Findings that stop the installation. */
    public List<Finding> blocking(AcceptedFindings accepted) {
        return blocking().stream().filter(finding -> !accepted.has(finding)).toList();
    }

    /** Findings that would stop the installation, and are accepted. */
    public List<Finding> accepted(AcceptedFindings accepted) {
        return blocking().stream().filter(accepted::has).toList();
    }

    public List<Finding> warnings() {
        return findings.stream().filter(finding -> !finding.isBlocking()).toList();
    }
}
