package io.capoa.runtime.options;

import io.capoa.runtime.migration.MigrationPhase;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads phases of the storage migration, joined by commas. */
final class MigrationPhases implements ITypeConverter<Set<MigrationPhase>> {

    @Override
    public Set<MigrationPhase> convert(String value) {
        Set<MigrationPhase> phases = EnumSet.noneOf(MigrationPhase.class);
        for (String name : value.split(",", -1)) {
            if (!name.isBlank()) {
                phases.addAll(MigrationPhase.named(name.strip())
                        .orElseThrow(() -> new TypeConversionException(
                                "takes StorageVersionMigration, CleanupManagedFields or All, joined by commas, not \""
                                        + name.strip() + "\"")));
            }
        }
        return phases;
    }
}
