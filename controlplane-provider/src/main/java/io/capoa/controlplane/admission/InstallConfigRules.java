package io.capoa.controlplane.admission;

import io.capoa.api.Annotations;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.rules.Section;
import io.capoa.controlplane.install.InstallConfig;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates the install-config override as the reconciler would. */
final class InstallConfigRules {

    private InstallConfigRules() {}

    static void check(Section owner, @Nullable ClusterConfig config, @Nullable Map<String, String> annotations) {
        switch (InstallConfig.of(config, annotations)) {
            case InstallConfig.Overrides ignored -> {}
            case InstallConfig.Invalid invalid ->
                owner.annotation(Annotations.INSTALL_CONFIG_OVERRIDE)
                        .refuse("cannot be used. " + invalid.message()
                                + ": write {\"networking\":{\"clusterNetworkMTU\":1400}}, for example");
        }
    }
}
