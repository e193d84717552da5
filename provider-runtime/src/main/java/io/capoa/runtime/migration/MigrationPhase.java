package io.capoa.runtime.migration;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The phases of a migration, by their names in Cluster API's flag {@code --skip-crd-migration-phases}. */
public enum MigrationPhase {
    /** Objects are stored again, then the versions before are taken off {@code status.storedVersions}. */
    STORAGE_VERSION_MIGRATION("StorageVersionMigration"),

    /** Entries of {@code metadata.managedFields} are dropped whose version is not served: they break server-side apply. */
    CLEANUP_MANAGED_FIELDS("CleanupManagedFields");

    private static final String ALL = "All";

    private final String text;

    MigrationPhase(String text) {
        this.text = text;
    }

    /** The phases of that name, which is one phase's or {@code All}; empty for another name. */
    public static Optional<Set<MigrationPhase>> named(String name) {
        return name.equals(ALL)
                ? Optional.of(EnumSet.allOf(MigrationPhase.class))
                : Arrays.stream(values())
                        .filter(phase -> phase.text.equals(name))
                        .findFirst()
                        .map(Set::of);
    }

    /** As the flag has it. */
    @Override
    public String toString() {
        return text;
    }
}
