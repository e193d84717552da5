package io.capoa.lab;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.write.Applier;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The tables of docs/security.md name each call that writes an object or reads one by its name, with the proof. */
@Execution(ExecutionMode.CONCURRENT)
class OwnershipProofsTest {

    /** Such as {@code `ConfigWrites.patch` 4}. */
    private static final Pattern CALLS = Pattern.compile("`(\\w+\\.\\w+)` (\\d+)");

    private static final String BEGIN = "## Whose objects";

    /** These compare or count, and send nothing. */
    private static final Set<String> NO_REQUESTS = Set.of("owned", "requests");

    @Test
    void everyCallOfTheWriter_andEveryReadByName_hasARow() throws IOException {
        Map<String, Integer> documented = new TreeMap<>();
        CALLS.matcher(section()).results().forEach(call -> documented.merge(call.group(1), count(call), Integer::sum));

        assertThat(documented)
                .as("calls in the tables of docs/security.md, %s: a new one needs a row with its proof", BEGIN)
                .isEqualTo(calls());
    }

    private static int count(MatchResult call) {
        return Integer.parseInt(call.group(2));
    }

    private static String section() throws IOException {
        String page = Files.readString(ProjectRoot.find().resolve("docs/security.md"));
        String rest = page.substring(page.indexOf(BEGIN) + BEGIN.length());
        return rest.substring(0, rest.indexOf("\n## "));
    }

    private static Map<String, Integer> calls() {
        Map<String, Integer> calls = new TreeMap<>();
        for (JavaClass caller : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.capoa.bootstrap", "io.capoa.controlplane")
                .that(resideInAnyPackage("io.capoa.bootstrap..", "io.capoa.controlplane.."))) {
            Stream.<JavaAccess<?>>concat(
                            caller.getMethodCallsFromSelf().stream(), caller.getMethodReferencesFromSelf().stream())
                    .filter(OwnershipProofsTest::isRequest)
                    .forEach(call -> calls.merge(outermost(caller) + "." + call.getName(), 1, Integer::sum));
        }
        return calls;
    }

    private static boolean isRequest(JavaAccess<?> call) {
        JavaClass target = call.getTargetOwner();
        return (target.isEquivalentTo(Applier.class) || target.isEquivalentTo(ByName.class))
                && !NO_REQUESTS.contains(call.getName());
    }

    private static String outermost(JavaClass type) {
        return type.getEnclosingClass().map(OwnershipProofsTest::outermost).orElseGet(type::getSimpleName);
    }
}
