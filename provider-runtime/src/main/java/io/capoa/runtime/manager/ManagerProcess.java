package io.capoa.runtime.manager;

import io.capoa.runtime.access.ReviewedAccess;
import io.capoa.runtime.connection.ManagementClient;
import io.capoa.runtime.debug.LogLevelSetting;
import io.capoa.runtime.debug.ThreadDump;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.events.RecordedEvent;
import io.capoa.runtime.failure.StartFailure;
import io.capoa.runtime.health.CacheHealth;
import io.capoa.runtime.health.Endpoint;
import io.capoa.runtime.health.ReadinessProbe;
import io.capoa.runtime.leadership.Leadership;
import io.capoa.runtime.memory.HeapReturn;
import io.capoa.runtime.options.BindAddress;
import io.capoa.runtime.options.ManagerOptions;
import io.capoa.runtime.tls.ServingTls;
import io.capoa.runtime.webhook.WebhookHandler;
import io.capoa.runtime.webhook.WebhookServer;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.Cloner;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.api.monitoring.AggregatedMetrics;
import io.micrometer.core.instrument.Metrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a manager: starts so that caches sync as early as possible, waits, and stops without losing writes. */
final class ManagerProcess {

    private static final Logger log = LoggerFactory.getLogger(ManagerProcess.class);

    /** Start-up waits this long for caches, then continues, for example without a kind whose CRD is absent. */
    private static final Duration CACHE_SYNC = Duration.ofSeconds(10);

    private static final String METRICS = "/metrics";
    private static final String THREADS = "/debug/threads";
    private static final String LOG_LEVEL = "/debug/log-level";
    private static final String METRICS_FLAG = "--metrics-bind-address";
    private static final String METRICS_REMEDY =
            "Put tls.crt and tls.key there, or leave --metrics-cert-dir out for a certificate of the process's own";

    private final ManagerDescription description;
    private final ManagerOptions options;
    private final ProviderSetup setup;
    private final long begin = System.nanoTime();
    private final ProcessMeters meters = new ProcessMeters();
    private final ReadinessProbe readiness = new ReadinessProbe();
    private final Closers endpoints = new Closers();
    private final Closers resources = new Closers();
    private final CountDownLatch failed = new CountDownLatch(1);
    private final ProcessEnd end;
    private volatile String phase = "starting";
    private volatile @Nullable KubernetesClient client;
    private volatile @Nullable KubernetesClient leaseClient;
    private volatile @Nullable Operator operator;
    private volatile @Nullable Leadership leadership;

    ManagerProcess(ManagerDescription description, ManagerOptions options, ProviderSetup setup) {
        this.description = description;
        this.options = options;
        this.setup = setup;
        this.end = new ProcessEnd(options.gracePeriod().plusSeconds(2), this::stop, this::announce);
    }

    /** Returns after a failure, with the exit code; a signal ends the process from its own thread. */
    int run() {
        end.onSignal();
        try {
            start();
            meters.bindProcess(description, endpoints);
            endpoints.add(HeapReturn.start());
            failed.await();
        } catch (StartFailure e) {
            log.error(e.getMessage());
            log.debug("Cause", e);
            TerminationMessage.write(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception | LinkageError e) {
            if (end.hasBegun()) {
                // What was being started has lost its threads and connections.
                log.info("Stopped while starting");
                log.debug("Cause", e);
                return end.afterFailure();
            }
            log.error("{} cannot start: {}", description.fieldManager(), rootMessage(e), e);
            TerminationMessage.write(description.fieldManager() + " cannot start: " + rootMessage(e));
        }
        return end.afterFailure();
    }

    /** Starts it in a process that it does not own. */
    EmbeddedManager embed() throws Exception {
        try {
            start();
        } catch (Exception | LinkageError e) {
            end.planned();
            throw e;
        }
        return end::planned;
    }

    private void start() throws Exception {
        readiness.add("manager", () -> phase.equals("running") ? Optional.empty() : Optional.of(phase));
        Metrics.addRegistry(meters.registry());
        resources.add(() -> Metrics.removeRegistry(meters.registry()));
        listen();
        var connected = ManagementClient.create(
                options.kubeconfigFile(),
                description.userAgent(),
                description.fieldManager(),
                meters.registry(),
                this::mayWrite);
        client = connected;
        if (options.leaderElect()) {
            leaseClient = ManagementClient.createApart(
                    options.kubeconfigFile(),
                    description.userAgent(),
                    description.fieldManager(),
                    meters.registry(),
                    Leadership.THREADS);
            leadership = new Leadership(
                    description.leaderElectionId(), leaseNamespace(connected), options, end::immediately);
        }
        var elected = leadership;
        meters.bindLeadership(
                description.leaderElectionId(), () -> elected == null ? phase.equals("running") : elected.isLeading());
        var built = operator(connected, elected);
        var webhooks = new TreeMap<String, WebhookHandler>();
        setup.setUp(new Registrations(
                description, options, built, meters.registry(), readiness, resources, webhooks, this::mayWrite));
        serve(webhooks);
        readiness.add("caches", () -> CacheHealth.problem(built));
        readiness.add("kinds", () -> ownKinds(connected, built));
        if (elected != null) {
            readiness.add("leader election", elected::problem);
        }
        readiness.mention(() -> CacheHealth.missingKinds(built));
        operator = built;
        SchedulerThreads.keepOne(built.getConfigurationService().getExecutorServiceManager());
        built.start();
        phase = "running";
        log.info(
                "{} started after {} ms{}",
                description.userAgent(),
                (System.nanoTime() - begin) / 1_000_000,
                CacheHealth.problem(built).map(behind -> "; " + behind).orElse(""));
        ownKinds(connected, built).ifPresent(problem -> log.error("Nothing can be reconciled: {}", problem));
    }

    /** A standby may not, nor a leader whose Lease may have run out. */
    private boolean mayWrite() {
        var elected = leadership;
        return elected == null ? !options.leaderElect() : elected.isLeading();
    }

    private void listen() {
        var health = options.healthProbeBindAddress();
        if (!health.isOff()) {
            var endpoint = Endpoint.listen(health, "--health-probe-bind-address", Endpoint.PROBES);
            endpoints.add(endpoint);
            endpoint.serve("/healthz", () -> Endpoint.Response.text(200, "ok\n"))
                    .serve("/readyz", readiness::answer);
        }
        var metrics = options.metrics().address();
        if (!metrics.isOff()) {
            endpoints.add(options.metrics().secure() ? secured(metrics) : plain(metrics));
        }
    }

    private Endpoint plain(BindAddress address) {
        return Endpoint.listen(address, METRICS_FLAG, Endpoint.METRICS).serve(METRICS, meters::page);
    }

    private Endpoint secured(BindAddress address) {
        var tls = options.metrics()
                .certDir()
                .map(folder -> ServingTls.ofFolder(folder, "Metrics", METRICS_REMEDY, Clock.systemUTC()))
                .orElseGet(() -> ServingTls.selfSigned(description.fieldManager(), Clock.systemUTC()));
        tls.problem().ifPresent(problem -> log.warn("Metrics cannot be read yet: {}", problem));
        var access = new ReviewedAccess(() -> client, Clock.systemUTC());
        return Endpoint.listen(address, METRICS_FLAG, Endpoint.METRICS, tls.layer())
                .serve(METRICS, access, meters::page)
                .serve(THREADS, access, ThreadDump::answer)
                .serve(LOG_LEVEL, access, LogLevelSetting::read)
                .change(LOG_LEVEL, access, LogLevelSetting::write);
    }

    /** By standbys too: the API server may ask any replica. */
    private void serve(Map<String, WebhookHandler> webhooks) {
        BindAddress address = options.webhookAddress();
        if (webhooks.isEmpty() || address.isOff()) {
            return;
        }
        try {
            var server = listen(address.socketAddress());
            endpoints.add(server);
            webhooks.forEach(server::serve);
            readiness.add("webhooks", server::problem);
            server.problem().ifPresent(problem -> log.warn("Webhooks cannot be called yet: {}", problem));
        } catch (IOException e) {
            throw new StartFailure(
                    "Cannot listen on " + address + " (--webhook-host, --webhook-port): " + e.getMessage()
                            + ". Choose another port, or 0 to serve no webhooks.",
                    e);
        }
    }

    private WebhookServer listen(InetSocketAddress address) throws IOException {
        var certificates = options.webhookCertDir();
        var authorities = options.webhookClientCaFile();
        return authorities.isPresent()
                ? WebhookServer.listen(address, certificates, authorities.get(), Clock.systemUTC())
                : WebhookServer.listen(address, certificates, Clock.systemUTC());
    }

    private Operator operator(KubernetesClient connected, @Nullable Leadership elected) {
        ReconcileOrder order = new ReconcileOrder(System::nanoTime);
        Consumer<ConfigurationServiceOverrider> configuration = overrider -> overrider
                .withKubernetesClient(connected)
                .withCloseClientOnStop(false)
                .withResourceCloner(new NoCopyCloner())
                .checkingCRDAndValidateLocalModel(false)
                .withExecutorService(new ReconcilePool(options.maxConcurrentReconciles(), order))
                .withMetrics(new AggregatedMetrics(List.of(
                        new ControllerMetrics(
                                meters.registry(), options.maxConcurrentReconciles(), meters.conditions()),
                        order,
                        new ReconcileTriggers(meters.registry()),
                        new RefusedFinalizers())))
                .withStopOnInformerErrorDuringStartup(false)
                .withCacheSyncTimeout(CACHE_SYNC)
                .withReconciliationTerminationTimeout(options.gracePeriod())
                .withInformerStoppedHandler((informer, failure) -> informerStopped(informer.toString(), failure));
        var lease = leaseClient;
        return elected == null || lease == null
                ? new Operator(configuration)
                : new ElectedOperator(configuration, elected, lease);
    }

    /** The API server is asked only while something is not in sync that should be: the start waits for caches itself. */
    private Optional<String> ownKinds(KubernetesClient connected, Operator operator) {
        if (!phase.equals("running") || CacheHealth.problem(operator).isEmpty()) {
            return Optional.empty();
        }
        List<Class<? extends HasMetadata>> kinds = new ArrayList<>();
        for (RegisteredController<?> controller : operator.getRegisteredControllers()) {
            kinds.add(controller.getConfiguration().getResourceClass());
        }
        return OwnKinds.problem(connected, kinds);
    }

    private String leaseNamespace(KubernetesClient connected) {
        return options.leaderElectNamespace().orElseGet(() -> {
            var own = connected.getConfiguration().getNamespace();
            return own == null || own.isBlank() ? description.defaultNamespace() : own;
        });
    }

    private void informerStopped(String informer, @Nullable Throwable failure) {
        if (failure != null && phase.equals("running")) {
            log.error("A cache stopped for good, so does the process: {}", informer, failure);
            TerminationMessage.write("The cache of " + informer + " stopped: " + rootMessage(failure));
            failed.countDown();
        }
    }

    private void announce(String reason) {
        var elected = leadership;
        var connected = leaseClient;
        if (elected != null && connected != null) {
            elected.lease()
                    .ifPresent(lease -> EventRecorder.record(
                            connected,
                            lease,
                            RecordedEvent.warning("LeaderElection", reason + ". " + elected.identity() + " ends"),
                            description.fieldManager()));
        }
    }

    /** Called once, by whichever thread ends the process. */
    private void stop() {
        phase = "stopping";
        var elected = leadership;
        if (elected != null) {
            elected.stopping();
        }
        var running = operator;
        if (running != null) {
            running.stop();
        }
        resources.closeAll();
        if (elected != null) {
            elected.release();
        }
        close(client);
        close(leaseClient);
        endpoints.closeAll();
    }

    private static void close(@Nullable KubernetesClient opened) {
        if (opened != null) {
            opened.close();
        }
    }

    private static String rootMessage(Throwable failure) {
        var root = failure;
        for (var cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        return String.valueOf(root.getMessage());
    }

    /** Does not clone: reconcilers never modify cached objects. */
    private static final class NoCopyCloner implements Cloner {

        @Override
        public <R extends HasMetadata> R clone(R object) {
            return object;
        }
    }
}
