package io.capoa.lab.command;

import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.page.PageReader;
import io.capoa.lab.page.PageServer;
import io.capoa.lab.progress.ClusterRow;
import io.capoa.lab.progress.Clusters;
import io.capoa.lab.progress.View;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.report.ProcessFigures;
import io.capoa.lab.report.Report;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of {@code ./lab/up}: start the lab, apply the manifests, show progress, report, keep running, stop. */
final class Run {

    /** Minimum time between two redraws. */
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(40);

    private static final Duration LONGEST_BETWEEN_LOOKS = Duration.ofMillis(200);

    /** A look at many clusters takes time itself: at most one part in so many. */
    private static final int LOOK_SHARE = 20;

    /** How long the API server or a webhook may be unavailable while the manifests are applied. */
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(60);

    private final Settings settings;
    private final View view;
    private final Retry retry;
    private final Instant started = Instant.now();
    private final Semaphore news = new Semaphore(0);
    private final AtomicReference<ChildProcess.@Nullable Exit> death = new AtomicReference<>();
    private final AtomicReference<@Nullable RuntimeException> refusal = new AtomicReference<>();
    private final Map<String, Instant> readySince = new LinkedHashMap<>();
    private final HeldLab held;

    Run(Settings settings, View view) {
        this.settings = settings;
        this.view = view;
        this.held = new HeldLab(settings, view);
        this.retry = new Retry(LONGEST_ABSENCE, view::say);
    }

    /** Exit code of the command. */
    int execute() {
        AppliedManifests manifests =
                new AppliedManifests(settings.files(), settings.scale().workers());
        if (settings.scale().light()) {
            manifests.requireLight();
        }
        try (view;
                held) {
            return run(held.start(this::died), manifests);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }

    /** Not below the words of the stop. */
    private void show(List<ClusterRow> rows, Instant begin) {
        if (!held.isOver()) {
            view.show(rows, Duration.between(begin, Instant.now()));
        }
    }

    private int run(RunningLab lab, AppliedManifests manifests) throws InterruptedException {
        Instant ready = Instant.now();
        servePage(lab);
        try (Clusters clusters = new Clusters(lab.cluster().admin())) {
            clusters.onChange(news::release);
            clusters.start();
            AuditLog audit = lab.cluster().auditLog().orElseThrow();
            AuditLog.Mark mark = audit.mark();
            Epilogue.vacancies(settings, lab.cluster()).forEach(view::say);
            view.say("Applying %s …"
                    .formatted(settings.files().stream().map(Path::toString).collect(Collectors.joining(", "))));
            makeNamespaces(lab, manifests);
            SortedMap<String, ProcessFigures> before = lab.figures();
            Instant begin = Instant.now();
            Map<String, Instant> applied = new ConcurrentHashMap<>();
            int expected = settings.scale().clusters() * Math.max(1, manifests.clusters());
            boolean all;
            RuntimeException refused;
            try (ExecutorService administrator = Executors.newVirtualThreadPerTaskExecutor()) {
                administrator.execute(() -> apply(manifests, lab.cluster(), applied));
                all = follow(clusters, expected, begin);
                refused = refusal.get();
                administrator.shutdownNow();
            }
            if (refused != null) {
                throw refused;
            }
            Instant end = Instant.now();
            SortedMap<String, ProcessFigures> processes = lab.figures();
            processes.replaceAll((name, figures) -> figures.since(before.get(name)));
            SortedMap<String, Report.UserFigures> users = Report.users(audit, mark);
            Optional<Settings.Rest> rest = settings.ending().rest();
            Benchmark benchmark = new Benchmark(lab, view, audit, mark);
            Report report = new Report(
                    started.toString(),
                    Report.seconds(started, ready),
                    all,
                    summary(expected, begin, end, users, processes),
                    clusters.rows().stream().map(row -> figures(row, applied)).toList(),
                    users,
                    processes,
                    all && rest.isPresent() ? benchmark.measure(rest.get()) : null);
            report.write(settings.state().resolve("report.json"));
            if (all) {
                view.say(Epilogue.ready(report, settings, lab.cluster(), lab.clusterctl()));
                Optional.ofNullable(report.benchmark())
                        .ifPresent(measured -> view.say(BenchmarkTable.of(report, measured)));
                if (settings.ending().inBackground()) {
                    markReady();
                }
                if (!settings.ending().once()) {
                    stay(clusters, begin);
                }
                return 0;
            }
            view.say(Epilogue.notReady(clusters.rows(), expected, settings, death.get()));
            return ExitCode.FAILED;
        }
    }

    /** Serves the page until the lab stops, unless it is switched off. */
    private void servePage(RunningLab lab) {
        settings.server().webPort().ifPresent(port -> {
            PageServer page = lab.keep(PageServer.open(
                    new PageReader(lab.cluster().admin(), settings.state().resolve("logs")), port));
            view.say("Page: " + page.address());
        });
    }

    private void markReady() {
        try {
            Files.writeString(settings.state().resolve(Detached.READY), "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void makeNamespaces(RunningLab lab, AppliedManifests manifests) {
        for (String namespace : settings.namespaces()) {
            manifests.makeNamespace(lab.cluster().admin(), retry, namespace);
            lab.peers().rack(namespace, manifests.hosts() + settings.scale().spareHosts());
        }
    }

    /** Applies one cluster after the other, as kubectl does; the first is being installed while the last is applied. */
    private void apply(AppliedManifests manifests, TestCluster cluster, Map<String, Instant> applied) {
        try {
            for (String namespace : settings.namespaces()) {
                manifests.apply(cluster.admin(), retry, namespace);
                applied.put(namespace, Instant.now());
            }
        } catch (RuntimeException e) {
            refusal.compareAndSet(null, e);
            news.release();
        }
    }

    /** Shows the progress until every cluster is ready, the time is over or a process has died; whether all are ready. */
    private boolean follow(Clusters clusters, int expected, Instant begin) throws InterruptedException {
        while (true) {
            long begun = System.nanoTime();
            List<ClusterRow> rows = clusters.rows();
            Instant now = Instant.now();
            rows.stream().filter(ClusterRow::ready).forEach(row -> readySince.putIfAbsent(row.title(), now));
            show(rows, begin);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            if (rows.size() >= expected && rows.stream().allMatch(ClusterRow::ready)) {
                return true;
            }
            boolean timeIsUp = settings.ending()
                    .timeLimit()
                    .filter(limit -> Duration.between(begin, now).compareTo(limit) > 0)
                    .isPresent();
            if (timeIsUp || death.get() != null || refusal.get() != null) {
                return false;
            }
            boolean unused = news.tryAcquire(LONGEST_BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS);
            Duration pause = took.multipliedBy(LOOK_SHARE);
            Thread.sleep(pause.compareTo(BETWEEN_LOOKS) > 0 ? pause : BETWEEN_LOOKS);
            news.drainPermits();
        }
    }

    private Report.Summary summary(
            int clusters,
            Instant begin,
            Instant end,
            Map<String, Report.UserFigures> users,
            Map<String, ProcessFigures> processes) {
        double cpu = 0;
        double writes = 0;
        for (Provider provider : Provider.values()) {
            ProcessFigures process = processes.get(provider.module());
            Report.UserFigures user = users.get(provider.user());
            cpu += process == null ? 0 : process.cpuSecondsSinceApply();
            writes += user == null ? 0 : user.writes();
        }
        return new Report.Summary(
                clusters,
                Report.seconds(begin, end),
                readySince.values().stream()
                        .min(Comparator.naturalOrder())
                        .map(first -> Report.seconds(begin, first))
                        .orElse(null),
                Math.round(cpu / clusters * 1000) / 1000.0,
                Math.round(writes / clusters * 10) / 10.0);
    }

    private Report.ClusterFigures figures(ClusterRow row, Map<String, Instant> applied) {
        Instant from = applied.get(row.namespace());
        Instant to = readySince.get(row.title());
        return new Report.ClusterFigures(
                row.namespace(), row.name(), from == null || to == null ? null : Report.seconds(from, to));
    }

    /** Keeps showing changes until Ctrl-C ends this process or a process of the lab dies. */
    private void stay(Clusters clusters, Instant begin) throws InterruptedException {
        List<ClusterRow> shown = clusters.rows();
        ChildProcess.Exit exit = death.get();
        while (exit == null) {
            news.acquire();
            Thread.sleep(BETWEEN_LOOKS);
            news.drainPermits();
            List<ClusterRow> rows = clusters.rows();
            if (!rows.equals(shown)) {
                show(rows, begin);
                shown = rows;
            }
            exit = death.get();
        }
        throw new ClusterException(exit.describe());
    }

    private void died(ChildProcess.Exit exit) {
        death.compareAndSet(null, exit);
        news.release();
    }
}
