package io.capoa.runtime.options;

import io.capoa.runtime.logging.LogFormat;
import io.capoa.runtime.logging.LogLevel;
import io.capoa.runtime.migration.MigrationPhase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of a manager: the Go provider's where they exist, Cluster API's otherwise. */
public final class ManagerOptions {

    @Mixin
    MetricsOptions metrics = new MetricsOptions();

    @Mixin
    GoLogOptions goLogs = new GoLogOptions();

    @Mixin
    OptionsWithoutEffect withoutEffect = new OptionsWithoutEffect();

    @Option(
            names = {"--health-probe-bind-address", "--health-addr"},
            paramLabel = "ADDRESS",
            defaultValue = ":8081",
            converter = BindAddress.Converter.class,
            description = "Address of /healthz and /readyz, in the same format. Default: ${DEFAULT-VALUE}.")
    BindAddress healthProbeBindAddress = BindAddress.OFF;

    @Option(
            names = "--leader-elect",
            arity = "0..1",
            paramLabel = "BOOL",
            defaultValue = "false",
            fallbackValue = "true",
            description = "Reconcile only while holding the leader election Lease, so that only one of several"
                    + " replicas works. Default: ${DEFAULT-VALUE}.")
    boolean leaderElect;

    @Option(
            names = "--leader-elect-lease-duration",
            paramLabel = "DURATION",
            defaultValue = "15s",
            converter = GoDuration.class,
            description = "How long a standby waits after the leader's last renewal before it takes over."
                    + " Default: ${DEFAULT-VALUE}.")
    Duration leaseDuration = Duration.ofSeconds(15);

    @Option(
            names = "--leader-elect-renew-deadline",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = GoDuration.class,
            description = "How long the leader retries to renew before the process ends; shorter than the"
                    + " lease duration. Default: ${DEFAULT-VALUE}.")
    Duration renewDeadline = Duration.ofSeconds(10);

    @Option(
            names = "--leader-elect-retry-period",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = GoDuration.class,
            description = "Pause between attempts to take or renew the Lease. Default: ${DEFAULT-VALUE}.")
    Duration retryPeriod = Duration.ofSeconds(2);

    @Option(
            names = "--leader-elect-namespace",
            paramLabel = "NAMESPACE",
            defaultValue = "",
            description = "Namespace of the Lease. Default: the pod's own, else that of the kubeconfig's context.")
    String leaderElectNamespace = "";

    @Option(
            names = "--webhook-port",
            paramLabel = "PORT",
            defaultValue = "9443",
            description = "Port of the webhooks, over HTTPS; 0 for none. Without a"
                    + " certificate (see below) the process reconciles but is not ready. Default: ${DEFAULT-VALUE}.")
    int webhookPort;

    @Option(
            names = "--webhook-host",
            paramLabel = "HOST",
            defaultValue = "",
            description =
                    "Address or name of the interface on which the webhooks are served. Default: every interface.")
    String webhookHost = "";

    @Option(
            names = "--webhook-cert-dir",
            paramLabel = "DIR",
            defaultValue = "/tmp/k8s-webhook-server/serving-certs",
            description = "Folder of the webhooks' tls.crt and tls.key, in PEM. Late or changed files"
                    + " need no restart. Default: ${DEFAULT-VALUE}.")
    Path webhookCertDir = Path.of("/tmp/k8s-webhook-server/serving-certs");

    @Option(
            names = "--webhook-client-ca-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "Certificates, in PEM, of the authorities that sign client certificates of API servers and of"
                    + " Cluster API: webhooks and hooks answer nobody else, except for conversions, for which API servers"
                    + " present none. Changes need no restart. Default: everybody who can connect is answered, hooks"
                    + " without details.")
    String webhookClientCaFile = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            defaultValue = "",
            description = "Kubeconfig of the management cluster. Default: the file in $KUBECONFIG, else"
                    + " ~/.kube/config, else the pod's service account. Tokens in files (tokenFile, service account)"
                    + " are read again when they change; for another certificate authority restart the process.")
    String kubeconfig = "";

    @Option(
            names = "--namespace",
            paramLabel = "NAMESPACE[,NAMESPACE...]",
            defaultValue = "",
            description = "Reconcile objects in these namespaces only. Default: all.")
    String namespace = "";

    @Option(
            names = "--watch-filter",
            paramLabel = "VALUE",
            defaultValue = "",
            description = "Reconcile only objects whose label " + WatchScope.LABEL
                    + " has this value. Default: all, labelled or not.")
    String watchFilter = "";

    @Option(
            names = "--feature-gates",
            paramLabel = "NAME=BOOL[,...]",
            defaultValue = "",
            converter = FeatureGates.class,
            description = "Features to enable or disable, as in Cluster API. This version has none: AllAlpha and"
                    + " AllBeta are accepted without effect, any other name is an error. Default: none.")
    String featureGates = "";

    @Option(
            names = "--skip-crd-migration-phases",
            paramLabel = "PHASE[,PHASE...]",
            defaultValue = "",
            converter = MigrationPhases.class,
            description = "Phases of the storage migration of this provider's CRDs to leave out:"
                    + " StorageVersionMigration, CleanupManagedFields or All. Default: none.")
    Set<MigrationPhase> skippedMigrationPhases = Set.of();

    @Option(
            names = {
                "--max-concurrent-reconciles",
                "--openshiftassistedconfig-concurrency",
                "--openshiftassistedcontrolplane-concurrency"
            },
            paramLabel = "N",
            defaultValue = "50",
            description = "Maximum number of concurrent reconciles, all kinds together; one object is never"
                    + " reconciled twice at once. Default: ${DEFAULT-VALUE}.")
    int maxConcurrentReconciles = 50;

    @Option(
            names = "--sync-period",
            paramLabel = "DURATION",
            defaultValue = "10h",
            converter = GoDuration.class,
            description = "Every object is reconciled at least this often, even without events."
                    + " Default: ${DEFAULT-VALUE}.")
    Duration syncPeriod = Duration.ofHours(10);

    @Option(
            names = "--grace-period",
            paramLabel = "DURATION",
            defaultValue = "8s",
            converter = GoDuration.class,
            description = "On SIGTERM or SIGINT, how long running reconciles may take to finish; keep it below the"
                    + " pod's terminationGracePeriodSeconds. Default: ${DEFAULT-VALUE}.")
    Duration gracePeriod = Duration.ofSeconds(8);

    @Option(
            names = {"-v", "--v"},
            paramLabel = "N",
            description = "Verbosity as a number: 0 to 2 warnings, 3 to 5 info, 6 to 8 debug, from 9 trace."
                    + " Default: by --log-level, which it overrides.")
    @Nullable
    Integer verbosity;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            defaultValue = "info",
            converter = LogLevel.Converter.class,
            description = "Log level: error, warn, info, debug or trace. Default: ${DEFAULT-VALUE}.")
    LogLevel logLevel = LogLevel.INFO;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            converter = LogFormat.Converter.class,
            description =
                    "json (one object per line) or text (for people). Logs go to standard error." + " Default: json.")
    @Nullable
    LogFormat logFormat;

    @Option(
            names = "--enable-http2",
            arity = "0..1",
            paramLabel = "BOOL",
            defaultValue = "false",
            fallbackValue = "true",
            description = "Accepted for manifests written for the Go provider; the servers of this process speak"
                    + " HTTP/1.1 either way. Default: ${DEFAULT-VALUE}.")
    boolean enableHttp2;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help and exit.")
    boolean help;

    @Option(names = "--version", versionHelp = true, description = "Show the version and exit.")
    boolean version;

    /** How {@code /metrics} is served. */
    public MetricsOptions metrics() {
        return metrics;
    }

    /** Where {@code /healthz} and {@code /readyz} are served. */
    public BindAddress healthProbeBindAddress() {
        return healthProbeBindAddress;
    }

    /** Whether to reconcile only while holding the Lease. */
    public boolean leaderElect() {
        return leaderElect;
    }

    /** How long a standby waits after the last renewal before it takes the Lease. */
    public Duration leaseDuration() {
        return leaseDuration;
    }

    /** How long the leader tries to renew before it gives up. */
    public Duration renewDeadline() {
        return renewDeadline;
    }

    /** Pause between attempts to take or renew the Lease. */
    public Duration retryPeriod() {
        return retryPeriod;
    }

    /** Namespace of the Lease; empty for the default. */
    public Optional<String> leaderElectNamespace() {
        return leaderElectNamespace.isBlank() ? Optional.empty() : Optional.of(leaderElectNamespace);
    }

    /** Where the webhooks are served, over HTTPS. */
    public BindAddress webhookAddress() {
        return webhookPort == 0 ? BindAddress.OFF : new BindAddress(webhookHost, webhookPort);
    }

    /** Folder of the webhooks' {@code tls.crt} and {@code tls.key}. */
    public Path webhookCertDir() {
        return webhookCertDir;
    }

    /** Certificates of the authorities of those who may call webhooks; empty if everybody may. */
    public Optional<Path> webhookClientCaFile() {
        return webhookClientCaFile.isBlank() ? Optional.empty() : Optional.of(Path.of(webhookClientCaFile));
    }

    /** The kubeconfig that the flag names. */
    public Optional<Path> kubeconfigFile() {
        return kubeconfig.isBlank() ? Optional.empty() : Optional.of(Path.of(kubeconfig));
    }

    /** Namespaces and watch filter. */
    public WatchScope scope() {
        return WatchScope.of(namespace, watchFilter);
    }

    /** Phases of the storage migration that are left out. */
    public Set<MigrationPhase> skippedMigrationPhases() {
        return Set.copyOf(skippedMigrationPhases);
    }

    /** Maximum number of concurrent reconciles, all kinds together. */
    public int maxConcurrentReconciles() {
        return maxConcurrentReconciles;
    }

    /** Longest time between two reconciles of one object. */
    public Duration syncPeriod() {
        return syncPeriod;
    }

    /** How long running reconciles may take to finish on a stop. */
    public Duration gracePeriod() {
        return gracePeriod;
    }

    /** Format of log lines. */
    public LogFormat logFormat() {
        return logFormat != null ? logFormat : goLogs.format;
    }

    /** The level that {@code --log-level} or {@code --v} asks for. */
    public LogLevel effectiveLogLevel() {
        return verbosity == null ? logLevel : LogLevel.ofVerbosity(verbosity);
    }
}
