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
import java.util.List;
import java.util.Map;
import okhttp3.OkHttpClient;

/** The manager process of the bootstrap provider. */
public final class BootstrapProvider {

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
        TriggerEventSource<OpenshiftAssistedConfig> wakeups = new TriggerEventSource<>("downloads");
        IgnitionDownloads downloads = new IgnitionDownloads(client(System.getenv()), clock, wakeups::wake);
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
                wakeups,
                AssistedServiceAddress.fromEnvironment(System.getenv()),
                HostPatience.fromEnvironment(System.getenv()),
                events,
                clock));
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
