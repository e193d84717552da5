package io.capoa.runtime.migration;

import io.capoa.runtime.client.ByName;
import io.capoa.runtime.write.Applier;
import io.capoa.runtime.write.StorageWriter;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates the stored objects of one CRD. It may be ended after any object: the next run begins again, and objects that
 * are stored as they shall be are not written.
 */
final class StorageMigration {

    private static final Logger LOG = LoggerFactory.getLogger(StorageMigration.class);

    /** Objects to a request: each may have to be converted, may have more than a megabyte, and is held in memory. */
    private static final long PAGE = 10;

    private final KubernetesClient client;
    private final Applier applier;
    private final StorageWriter storage;
    private final String fieldManager;
    private final Set<MigrationPhase> skipped;
    private final BooleanSupplier allowed;

    /**
     * A migration through the client.
     *
     * @param allowed asked before each page: whether this process leads, and does not end
     */
    StorageMigration(
            KubernetesClient client, String fieldManager, Set<MigrationPhase> skipped, BooleanSupplier allowed) {
        this.client = client;
        this.applier = new Applier(client, fieldManager);
        this.storage = new StorageWriter(client, fieldManager);
        this.fieldManager = fieldManager;
        this.skipped = Set.copyOf(skipped);
        this.allowed = allowed;
    }

    /**
     * Does what is left to do.
     *
     * @param crd name of the CRD
     * @param version what this release stores
     * @param done told the phase after each object
     * @return whether nothing is left, and nothing comes: a CRD that stores another version is still to be replaced, or is
     *     about to be replaced by another release
     * @throws KubernetesClientException when the API server refuses, which a later run may overcome
     */
    boolean run(String crd, String version, Consumer<MigrationPhase> done) {
        CustomResourceDefinition definition = ByName.select(
                        client.apiextensions().v1().customResourceDefinitions(), crd)
                .get();
        if (definition == null || definition.getStatus() == null) {
            return false;
        }
        MigrationPlan plan = MigrationPlan.of(definition, skipped);
        boolean isOfThisRelease = plan.storage().equals(version);
        if (plan.phases().isEmpty()) {
            return isOfThisRelease;
        }
        ResourceDefinitionContext kind = kind(definition, plan.storage());
        if (plan.has(MigrationPhase.STORAGE_VERSION_MIGRATION)) {
            List<String> before = definition.getStatus().getStoredVersions();
            if (!each(kind, object -> {
                storage.storeAgain(object, plan.hasStatus());
                done.accept(MigrationPhase.STORAGE_VERSION_MIGRATION);
            })) {
                return false;
            }
            definition = storage.setStoredVersion(definition, plan.storage());
            LOG.info("Objects of {} are stored as {} only; before: {}", crd, plan.storage(), before);
        }
        if (plan.has(MigrationPhase.CLEANUP_MANAGED_FIELDS)) {
            OlderVersionUse use = new OlderVersionUse(plan);
            if (!each(kind, object -> {
                use.add(object.getMetadata());
                clean(object, plan, () -> done.accept(MigrationPhase.CLEANUP_MANAGED_FIELDS));
            })) {
                return false;
            }
            LOG.info("{}: {}", crd, use.summary());
        }
        var unused = applier.patchIfUnchanged(
                definition,
                Map.of(
                        "metadata",
                        Map.of(
                                "annotations",
                                Map.of(MigrationPlan.OBSERVED_GENERATION, MigrationPlan.generation(definition)))));
        return isOfThisRelease;
    }

    private void clean(GenericKubernetesResource object, MigrationPlan plan, Runnable done) {
        ManagedFieldsCleanup.of(object.getMetadata(), plan.served(), object.getApiVersion(), fieldManager)
                .ifPresent(entries -> {
                    storage.setManagedFields(object, entries);
                    done.run();
                });
    }

    /** Whether all objects were reached. */
    private boolean each(ResourceDefinitionContext kind, Consumer<GenericKubernetesResource> action) {
        String next = null;
        do {
            if (!allowed.getAsBoolean()) {
                return false;
            }
            GenericKubernetesResourceList page = client.genericKubernetesResources(kind)
                    .inAnyNamespace()
                    .list(new ListOptionsBuilder()
                            .withLimit(PAGE)
                            .withContinue(next)
                            .build());
            page.getItems().forEach(action);
            next = page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        return true;
    }

    private static ResourceDefinitionContext kind(CustomResourceDefinition definition, String version) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(definition.getSpec().getGroup())
                .withVersion(version)
                .withKind(definition.getSpec().getNames().getKind())
                .withPlural(definition.getSpec().getNames().getPlural())
                .withNamespaced(true)
                .build();
    }
}
