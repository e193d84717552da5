package io.capoa.lint;

import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.lint.manifest.FileCommand;
import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.TextFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line {@code lint-ccm}: lints manifests of a cloud controller manager without a management cluster. */
public final class LintCommand {

    public static final String NAME = "lint-ccm";

    @Command(
            name = NAME,
            description = "Checks the manifests of a cloud controller manager for OpenShift on platform External.",
            footer = "%nExit code: 0 without blocking findings, 1 with some, 2 when the command line is wrong or a file"
                    + " cannot be read.")
    private static final class Options extends FileCommand.HelpOption {

        @Parameters(
                arity = "1..*",
                paramLabel = "FILE",
                description = "Manifests as YAML or JSON, all that the installation gets; - reads standard input.")
        private List<String> files = new ArrayList<>();

        @Option(names = "--single-node", description = "The cluster has a single node.")
        private boolean singleNode;

        @Option(
                names = "--accept",
                paramLabel = "FINDING=REASON",
                description = "Does not count a blocking finding; repeatable. Annotation"
                        + " controlplane.cluster.x-k8s.io/accept-ccm-finding-FINDING: REASON of the control plane does the"
                        + " same for the installation.")
        private Map<String, String> accepted = new LinkedHashMap<>();
    }

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;

    public LintCommand(InputStream in, PrintStream out, PrintStream err) {
        this.in = in;
        this.out = out;
        this.err = err;
    }

    /** Main method of the linter's own jar. */
    public static void main(String... args) {
        System.exit(new LintCommand(System.in, System.out, System.err).execute(List.of(args)));
    }

    /**
     * Lints the files and prints the findings.
     *
     * @param args those after the command's name
     * @return the exit code: 0 without blocking findings, 1 with some, 2 if the arguments cannot be used
     */
    public int execute(List<String> args) {
        Options options = new Options();
        return FileCommand.execute(options, args, () -> lint(options), out, err);
    }

    private int lint(Options options) throws IOException {
        ManifestLint lint = ManifestLint.of(TextFiles.read(options.files, in), options.singleNode);
        AcceptedFindings accepted = new AcceptedFindings(options.accepted);
        List<Finding> blocking = lint.blocking(accepted);
        blocking.forEach(finding -> print("BLOCKING", finding, "finding: " + finding.id()));
        lint.accepted(accepted)
                .forEach(finding -> print("ACCEPTED", finding, "accepted because: " + accepted.reason(finding)));
        lint.warnings().forEach(finding -> print("WARNING", finding, ""));
        accepted.unused(lint.blocking())
                .forEach(id -> err.println("No blocking finding is " + UntrustedContent.quoted(id) + "."));
        out.println("%d blocking, %d %s"
                .formatted(
                        blocking.size(), lint.warnings().size(), lint.warnings().size() == 1 ? "warning" : "warnings"));
        return blocking.isEmpty() ? FileCommand.CLEAN : FileCommand.FOUND;
    }

    private void print(String kind, Finding finding, String last) {
        out.println(kind + " " + finding.object() + ", " + finding.path());
        out.println("  " + finding.what() + ", " + finding.why());
        out.println("  remedy: " + finding.remedy());
        if (!last.isEmpty()) {
            out.println("  " + last);
        }
    }
}
