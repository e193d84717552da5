package io.capoa.bootstrap;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.conversion.ApiConversion;
import io.capoa.bootstrap.admission.ConfigTemplateValidator;
import io.capoa.bootstrap.admission.ConfigValidator;
import io.capoa.bootstrap.boot.AssistedServiceAddress;
import io.capoa.bootstrap.boot.CaBundle;
import io.capoa.bootstrap.boot.IgnitionDownloads;
import io.capoa.bootstrap.boot.UsualCaBundle;
import io.capoa.bootstrap.config.ConfigReconciler;
import io.capoa.runtime.events.EventRecorder;
import io.capoa.runtime.manager.Manager;
import io.capoa.runtime.manager.ManagerDescription;
import io.capoa.runtime.manager.Registrar;
import io.capoa.runtime.proxy.EnvironmentProxy;
import io.capoa.runtime.proxy.ProxyLogin;
import io.capoa.runtime.watch.TriggerEventSource;
import io.capoa.runtime.webhook.ConversionHandler;
import java.net.ProxySelector;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import okhttp3.OkHttpClient;

/** The manager process of the bootstrap provider. */
public final class BootstrapProvider {

    private static final String HOST_PATIENCE = "HOST_REGISTRATION_SECONDS";
    private static final Duration DEFAULT_HOST_PATIENCE = Duration.ofMinutes(20);

    /** The Go provider's leader election id: of the two never more than one works. */
    private static final String LEADER_ELECTION_ID = "08dff33b.cluster.x-k8s.io";

    private BootstrapProvider() {}

    public static void main(String[] arguments) {
        System.exit(Manager.run(
                new ManagerDescription("bootstrap", LEADER_ELECTION_ID, "capoa-bootstrap-system"),
                BootstrapProvider::setUp,
                arguments));
    }

    private static void setUp(Registrar registrar) {
        Clock clock = Clock.systemUTC();
        TriggerEventSource<OpenshiftAssistedConfig> downloaded = new TriggerEventSource<>("downloads");
        IgnitionDownloads downloads = new IgnitionDownloads(client(System.getenv()), clock, downloaded::trigger);
        registrar.closeAtStop(downloads);
        CaBundle.Location.fromEnvironment(System.getenv())
                .ifPresentOrElse(
                        location -> registrar.closeAtStop(new CaBundle(registrar.client(), location, downloads)),
                        () -> downloads.whenDistrusted(new UsualCaBundle(registrar.client(), downloads, clock)));
        EventRecorder events =
                new EventRecorder(registrar.client(), registrar.description().fieldManager(), clock);
        registrar.closeAtStop(events);
        registrar.migrate(List.of(OpenshiftAssistedConfig.class, OpenshiftAssistedConfigTemplate.class));
        registrar.serve(ConversionHandler.PATH, new ConversionHandler(ApiConversion.bootstrap()));
        registrar.validate(OpenshiftAssistedConfig.class, new ConfigValidator());
        registrar.validate(OpenshiftAssistedConfigTemplate.class, new ConfigTemplateValidator());
        registrar.register(new ConfigReconciler(
                registrar.client(),
                registrar.description().fieldManager(),
                downloads,
                downloaded,
                AssistedServiceAddress.fromEnvironment(System.getenv()),
                hostPatience(System.getenv()),
                events,
                clock));
    }

    /**
     * How long a host may take from the end of its provisioning until it registers (firmware, boot, network): {@code
     * HOST_REGISTRATION_SECONDS}; 20 minutes where it is not set.
     *
     * @throws IllegalArgumentException that names the variable, if it is no number of seconds
     */
    static Duration hostPatience(Map<String, String> environment) {
        String value = environment.getOrDefault(HOST_PATIENCE, "").strip();
        if (value.isEmpty()) {
            return DEFAULT_HOST_PATIENCE;
        }
        if (!value.matches("[0-9]{1,6}")) {
            throw new IllegalArgumentException(HOST_PATIENCE + " is no number of seconds, such as 1200");
        }
        return Duration.ofSeconds(Long.parseLong(value));
    }

    /** Goes where the proxy variables say. */
    static OkHttpClient client(Map<String, String> environment) {
        EnvironmentProxy proxies = new EnvironmentProxy(environment, ProxySelector.getDefault());
        return new OkHttpClient.Builder()
                .proxySelector(proxies)
                .proxyAuthenticator(new ProxyLogin(proxies))
                .build();
    }
}
