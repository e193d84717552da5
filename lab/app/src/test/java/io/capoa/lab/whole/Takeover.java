package io.capoa.lab.whole;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The change from one provider to the other on a management cluster, and what must stay over it. */
final class Takeover {

    private Takeover() {}

    /** Stops the providers, runs what happens without them, and starts them. */
    static void run(WholeLab lab, Runnable meanwhile) {
        lab.stopProviders();
        webhooks(lab, "Ignore");
        try {
            meanwhile.run();
        } finally {
            webhooks(lab, "Fail");
            lab.startProviders();
        }
    }

    /** UIDs of Machines by name. */
    static Map<String, String> machines(WholeLab lab, String namespace) {
        return new TreeMap<>(lab.machines(namespace).stream()
                .collect(Collectors.toMap(
                        machine -> machine.getMetadata().getName(),
                        machine -> machine.getMetadata().getUid())));
    }

    /** Content of Secrets by name. */
    static Map<String, Map<String, String>> secrets(WholeLab lab, String namespace) {
        Function<Secret, String> name = secret -> secret.getMetadata().getName();
        return new TreeMap<>(lab.admin().secrets().inNamespace(namespace).list().getItems().stream()
                .collect(Collectors.toMap(name, Secret::getData)));
    }

    /** UID and generation of InfraEnvs by name. */
    static Map<String, String> infraEnvs(WholeLab lab, String namespace) {
        Function<GenericKubernetesResource, String> name =
                infraEnv -> infraEnv.getMetadata().getName();
        return new TreeMap<>(lab
                .admin()
                .genericKubernetesResources("agent-install.openshift.io/v1beta1", "InfraEnv")
                .inNamespace(namespace)
                .list()
                .getItems()
                .stream()
                .collect(Collectors.toMap(
                        name,
                        infraEnv -> infraEnv.getMetadata().getUid() + "/"
                                + infraEnv.getMetadata().getGeneration())));
    }

    /** No webhook responds while the providers are stopped. */
    private static void webhooks(WholeLab lab, String failurePolicy) {
        for (String part : List.of("bootstrap", "controlplane")) {
            var unused = lab.admin()
                    .admissionRegistration()
                    .v1()
                    .validatingWebhookConfigurations()
                    .withName("capoa-" + part + "-validating-webhook-configuration")
                    .edit(configuration -> {
                        configuration.getWebhooks().forEach(webhook -> webhook.setFailurePolicy(failurePolicy));
                        return configuration;
                    });
        }
    }
}
