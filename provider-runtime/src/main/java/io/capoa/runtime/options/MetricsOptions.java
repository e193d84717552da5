package io.capoa.runtime.options;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The flags of a manager's metrics, with the names of controller-runtime's. */
public final class MetricsOptions {

    @Option(
            names = {"--metrics-bind-address", "--metrics-bind-addr", "--diagnostics-address"},
            paramLabel = "ADDRESS",
            defaultValue = ":8443",
            converter = BindAddress.Converter.class,
            description = "Address of /metrics: \":PORT\" (every interface), \"HOST:PORT\", or \"0\" for off."
                    + " Default: ${DEFAULT-VALUE}.")
    BindAddress bindAddress = BindAddress.OFF;

    @Option(
            names = "--metrics-secure",
            arity = "0..1",
            paramLabel = "BOOL",
            defaultValue = "true",
            fallbackValue = "true",
            description =
                    "Serve /metrics over HTTPS, to bearer tokens whose user has verb get on nonResourceURL /metrics."
                            + " With false it is plain HTTP for everybody: close the port by a NetworkPolicy."
                            + " Default: ${DEFAULT-VALUE}.")
    boolean secure = true;

    @Option(
            names = "--insecure-diagnostics",
            arity = "0..1",
            paramLabel = "BOOL",
            defaultValue = "false",
            fallbackValue = "true",
            description = "The same as --metrics-secure=false, as Cluster API writes it. Default: ${DEFAULT-VALUE}.")
    boolean insecure;

    @Option(
            names = "--metrics-cert-dir",
            paramLabel = "DIR",
            defaultValue = "",
            description =
                    "Folder of the metrics' tls.crt and tls.key, in PEM; changed files need no restart. Default: a"
                            + " certificate of the process's own, which no client can verify.")
    String certDir = "";

    /** Where {@code /metrics} is served. */
    public BindAddress address() {
        return bindAddress;
    }

    /** Whether it asks for a token with the right, over HTTPS. */
    public boolean secure() {
        return secure && !insecure;
    }

    /** Folder of the certificate; empty for one of the process's own. */
    public Optional<Path> certDir() {
        return certDir.isBlank() ? Optional.empty() : Optional.of(Path.of(certDir));
    }
}
