package io.capoa.runtime.watch;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.runtime.client.ByName;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import java.net.HttpURLConnection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches one CustomResourceDefinition by name, to notice when its kind is installed, changed or removed. */
final class CrdWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CrdWatch.class);

    private static final ResourceDefinitionContext CRD = new ResourceDefinitionContext.Builder()
            .withGroup("apiextensions.k8s.io")
            .withVersion("v1")
            .withKind("CustomResourceDefinition")
            .withPlural("customresourcedefinitions")
            .withNamespaced(false)
            .build();

    private static final String SERVED = "served";

    private final Class<? extends HasMetadata> kind;
    private final SharedIndexInformer<GenericKubernetesResource> informer;

    private CrdWatch(Class<? extends HasMetadata> kind, SharedIndexInformer<GenericKubernetesResource> informer) {
        this.kind = kind;
        this.informer = informer;
    }

    /**
     * Begins to watch, without waiting.
     *
     * @param changed told after every change, and of a definition that is there already
     */
    static CrdWatch watch(KubernetesClient client, Class<? extends HasMetadata> kind, Runnable changed) {
        String name = HasMetadata.getPlural(kind) + "." + HasMetadata.getGroup(kind);
        SharedIndexInformer<GenericKubernetesResource> informer =
                ByName.select(client.genericKubernetesResources(CRD), name).runnableInformer(0);
        informer.itemStore(new TransformingItemStore<>(CrdWatch::servedVersions));
        informer.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(GenericKubernetesResource added) {
                changed.run();
            }

            @Override
            public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
                changed.run();
            }

            @Override
            public void onDelete(GenericKubernetesResource deleted, boolean stateUnknown) {
                changed.run();
            }
        });
        informer.exceptionHandler((started, failure) -> {
            boolean allowed = !isForbidden(failure);
            if (!allowed) {
                LOG.warn(
                        "CustomResourceDefinition {} may not be watched (list, watch): whether it comes or goes is"
                                + " noticed at the next start only",
                        name);
            }
            return allowed;
        });
        var unused = informer.start();
        return new CrdWatch(kind, informer);
    }

    /** Whether it is known if the definition is there. */
    boolean isKnown() {
        return informer.hasSynced();
    }

    /** That the kind is not served, if it is not. */
    Optional<MissingKind> absence() {
        List<String> served = served();
        return served.contains(HasMetadata.getVersion(kind))
                ? Optional.empty()
                : Optional.of(MissingKind.of(kind, served));
    }

    /** The versions that are served; none while the definition is not there. */
    List<String> served() {
        return informer.getStore().list().stream()
                .flatMap(definition -> Fields.list(definition, SERVED).stream())
                .map(String::valueOf)
                .toList();
    }

    @Override
    public void close() {
        informer.stop();
    }

    private static boolean isForbidden(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof KubernetesClientException e && e.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
    }

    /** Of a definition that is established, the versions that are served; of another, none. */
    private static GenericKubernetesResource servedVersions(GenericKubernetesResource definition) {
        boolean established = ConditionView.of(definition, "Established")
                .map(condition -> condition.status().equals("True"))
                .orElse(false);
        List<String> served = Fields.list(definition, "spec", "versions").stream()
                .filter(version -> established && Fields.isTrue(version, SERVED))
                .map(version -> String.valueOf(Fields.any(version, "name")))
                .toList();
        definition.getMetadata().setManagedFields(null);
        definition.getMetadata().setAnnotations(null);
        definition.setAdditionalProperties(new LinkedHashMap<>(Map.of(SERVED, served)));
        return definition;
    }
}
