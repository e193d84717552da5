package io.capoa.lab.manager;

import io.capoa.runtime.manager.Manager;
import io.capoa.runtime.manager.ManagerDescription;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A minimal provider: sets {@code data.seen} of every ConfigMap with {@code data.delay}, after that delay in
 * milliseconds.
 */
public final class SampleProvider {

    static final String LEASE = "sample.capoa.io";

    private SampleProvider() {}

    /** With first argument {@code broken} the set-up fails. */
    public static void main(String[] args) {
        boolean broken = args.length > 0 && args[0].equals("broken");
        var flags = List.of(args).subList(broken ? 1 : 0, args.length).toArray(String[]::new);
        System.exit(Manager.run(
                new ManagerDescription("sample", LEASE, "default"),
                registrar -> {
                    if (broken) {
                        throw new IllegalStateException("the set-up is broken");
                    }
                    registrar.register(new Marker());
                },
                flags));
    }

    @ControllerConfiguration(name = "marker")
    private static final class Marker implements Reconciler<ConfigMap> {

        private static final Logger log = LoggerFactory.getLogger(Marker.class);

        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context)
                throws InterruptedException {
            var data = map.getData();
            if (data == null || !data.containsKey("delay") || data.containsKey("seen")) {
                return UpdateControl.noUpdate();
            }
            log.info("Begin");
            Thread.sleep(Long.parseLong(data.get("delay")));
            context.getClient()
                    .resource(map)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"seen\":\"true\"}}");
            return UpdateControl.noUpdate();
        }
    }
}
