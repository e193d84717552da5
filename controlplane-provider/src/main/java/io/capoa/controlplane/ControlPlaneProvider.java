package io.capoa.controlplane;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneTemplate;
import io.capoa.api.conversion.ApiConversion;
import io.capoa.controlplane.admission.ControlPlaneTemplateValidator;
import io.capoa.controlplane.admission.ControlPlaneValidator;
import io.capoa.controlplane.extension.RuntimeExtension;
import io.capoa.controlplane.plan.PlanCommand;
import io.capoa.controlplane.reconcile.ControlPlaneReconciler;
import io.capoa.controlplane.release.RegistryAccess;
import io.capoa.controlplane.release.Releases;
import io.capoa.controlplane.workload.client.WorkloadClusterPoller;
import io.capoa.lint.LintCommand;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.manager.Manager;
import io.capoa.runtime.manager.ManagerDescription;
import io.capoa.runtime.manager.ProviderSetup;
import io.capoa.runtime.manager.Registrar;
import io.capoa.runtime.webhook.ConversionHandler;
import io.capoa.runtime.write.Applier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The control plane provider's process: manager, admission webhooks, runtime extension and the OpenshiftAssistedControlPlane
 * reconciler.
 */
public final class ControlPlaneProvider implements ProviderSetup {

    public static final ManagerDescription DESCRIPTION =
            new ManagerDescription("controlplane", "09dff44b.cluster.x-k8s.io", "capoa-controlplane-system");

    private final Flags flags = new Flags();
    private final Clock clock;
    private final Duration healthPeriod;

    private static final class Flags {

        @Option(
                names = "--registries-conf",
                paramLabel = "FILE",
                description = "Mirrors of the registries that release images are read from, as registries.conf(5)."
                        + " A file that does not exist means none. Default: the file in $REGISTRIES_CONF, else none.")
        @Nullable
        Path registriesConf;

        @Option(
                names = "--registries-ca-bundle",
                paramLabel = "FILE",
                description = "PEM certificates that registries may present besides those the platform trusts."
                        + " A file that does not exist means none. Default: none.")
        @Nullable
        Path registriesCaBundle;
    }

    public ControlPlaneProvider() {
        this(Clock.systemUTC(), WorkloadClusterPoller.OBSERVED_EVERY);
    }

    /**
     * With another clock and period.
     *
     * @param clock by which outages of workload clusters and the age of their answers are measured
     * @param healthPeriod of the queries for the health of a workload cluster
     */
    public ControlPlaneProvider(Clock clock, Duration healthPeriod) {
        this.clock = clock;
        this.healthPeriod = healthPeriod;
    }

    /** Runs the manager until it receives a signal, or the command that the first argument names. */
    public static void main(String... args) {
        List<String> rest = List.of(args).subList(Math.min(1, args.length), args.length);
        switch (args.length > 0 ? args[0] : "") {
            case LintCommand.NAME -> System.exit(new LintCommand(System.in, System.out, System.err).execute(rest));
            case PlanCommand.NAME -> System.exit(new PlanCommand(System.in, System.out, System.err).execute(rest));
            default -> {}
        }
        System.exit(Manager.run(DESCRIPTION, new ControlPlaneProvider(), args));
    }

    @Override
    public Optional<Object> options() {
        return Optional.of(flags);
    }

    @Override
    public void setUp(Registrar registrar) throws IOException {
        Releases releases = Releases.start(RegistryAccess.load(flags.registriesConf, flags.registriesCaBundle));
        registrar.closeAtStop(releases);
        Applier applier =
                new Applier(registrar.client(), registrar.description().fieldManager());
        WorkloadClusterPoller poller = new WorkloadClusterPoller(clock, healthPeriod);
        registrar.closeAtStop(poller);
        EventRecorder events =
                new EventRecorder(registrar.client(), registrar.description().fieldManager(), clock);
        registrar.closeAtStop(events);
        registrar.migrate(List.of(OpenshiftAssistedControlPlane.class, OpenshiftAssistedControlPlaneTemplate.class));
        registrar.serve(ConversionHandler.PATH, new ConversionHandler(ApiConversion.controlPlane()));
        registrar.validate(OpenshiftAssistedControlPlane.class, new ControlPlaneValidator());
        registrar.validate(OpenshiftAssistedControlPlaneTemplate.class, new ControlPlaneTemplateValidator());
        RuntimeExtension.register(registrar);
        registrar.register(new ControlPlaneReconciler(
                registrar.client(),
                applier,
                releases,
                poller,
                events,
                clock,
                registrar::isLeading,
                registrar.description().version()));
    }
}
