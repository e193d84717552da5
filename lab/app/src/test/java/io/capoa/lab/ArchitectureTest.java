package io.capoa.lab;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.INTERFACES;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameStartingWith;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.capoa.bootstrap.infrastructure.Host;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.bootstrap.infrastructure.InfrastructureProvider;
import io.capoa.runtime.threads.VirtualThreads;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Deletable;
import io.fabric8.kubernetes.client.dsl.Nameable;
import java.math.BigInteger;
import java.security.cert.CertificateFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Dependencies between and inside modules, as documented. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("classes of all modules")
class ArchitectureTest {

    private static final String API = "io.capoa.api..";
    private static final String API_CLIENT = "io.capoa.api.client..";
    private static final String LINT = "io.capoa.lint..";
    private static final String RUNTIME = "io.capoa.runtime..";
    private static final String BOOTSTRAP = "io.capoa.bootstrap..";
    private static final String CONTROL_PLANE = "io.capoa.controlplane..";
    private static final String LAB = "io.capoa.lab..";

    private static JavaClasses all;

    @BeforeAll
    static void read() {
        all = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.capoa");
        for (String module : new String[] {API, LINT, RUNTIME, BOOTSTRAP, CONTROL_PLANE, LAB}) {
            assertThat(all.that(resideInAPackage(module))).as(module).isNotEmpty();
        }
    }

    @Test
    void theApi_dependsOnNothingOfOurs_andTalksToNoServer() {
        noClasses()
                .that()
                .resideInAPackage(API)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LINT, RUNTIME, BOOTSTRAP, CONTROL_PLANE, LAB, "io.javaoperatorsdk..")
                .check(all);
        noClasses()
                .that()
                .resideInAPackage(API)
                .and()
                .resideOutsideOfPackage(API_CLIENT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("okhttp3..", API_CLIENT)
                .check(all);
    }

    @Test
    void theRuntimeAndTheLinter_dependOnTheApiAlone() {
        noClasses()
                .that()
                .resideInAPackage(RUNTIME)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LINT, BOOTSTRAP, CONTROL_PLANE, LAB)
                .check(all);
        noClasses()
                .that()
                .resideInAPackage(LINT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(RUNTIME, BOOTSTRAP, CONTROL_PLANE, LAB)
                .check(all);
    }

    @Test
    void theLinter_isReachedThroughItsResult_andItsCommandFromTheMainClassAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage(LINT)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.capoa.lint.rules..")
                .check(all);
        noClasses()
                .that()
                .resideOutsideOfPackage(LINT)
                .and()
                .doNotHaveFullyQualifiedName("io.capoa.controlplane.ControlPlaneProvider")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.capoa.lint.LintCommand")
                .check(all);
    }

    @Test
    void theProviders_knowNeitherEachOtherNorTheLab() {
        noClasses()
                .that()
                .resideInAPackage(BOOTSTRAP)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(LINT, CONTROL_PLANE, LAB)
                .check(all);
        noClasses()
                .that()
                .resideInAPackage(CONTROL_PLANE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BOOTSTRAP, LAB)
                .check(all);
    }

    @Test
    void noSimulatedPeer_reachesIntoAProvider() {
        noClasses()
                .that()
                .resideInAPackage(LAB)
                .and(not(resideInAPackage("io.capoa.lab")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BOOTSTRAP, CONTROL_PLANE)
                .check(all);
    }

    @Test
    void objectsAreWritten_byTheOneWriterAlone() {
        noClasses()
                .that()
                .resideInAnyPackage(BOOTSTRAP, CONTROL_PLANE)
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("io.fabric8.kubernetes.client.dsl.base.PatchContext")
                .check(all);
    }

    /** A thread dump has only these; the JVM's own dump can crash it. */
    @Test
    void virtualThreads_areStartedByTheOnePlaceThatListsThem() {
        noClasses()
                .that()
                .resideInAnyPackage(RUNTIME, BOOTSTRAP, CONTROL_PLANE)
                .and()
                .doNotBelongToAnyOf(VirtualThreads.class)
                .should()
                .callMethod(Thread.class, "ofVirtual")
                .orShould()
                .callMethod(Thread.class, "startVirtualThread", Runnable.class)
                .orShould()
                .callMethod(Executors.class, "newVirtualThreadPerTaskExecutor")
                .orShould()
                .callMethodWhere(target(name("dumpThreads")))
                .check(all);
    }

    /** A name from a field may be any text; the client would insert it into the request path. */
    @Test
    void objectsAreReachedByName_throughTheOnePlaceThatChecksNames() {
        noClasses()
                .that()
                .resideInAnyPackage(RUNTIME, BOOTSTRAP, CONTROL_PLANE)
                .and()
                .doNotHaveFullyQualifiedName("io.capoa.runtime.client.ByName")
                .should()
                .callMethodWhere(target(name("withName")).and(target(owner(assignableTo(Nameable.class)))))
                .check(all);
        noClasses()
                .that()
                .resideInAnyPackage(BOOTSTRAP, CONTROL_PLANE)
                .should()
                .callMethodWhere(target(name("resource")).and(target(owner(assignableTo(KubernetesClient.class)))))
                .check(all);
    }

    @Test
    void objectsAreDeleted_byTheirUidAlone() {
        noClasses()
                .that()
                .resideInAnyPackage(RUNTIME, BOOTSTRAP, CONTROL_PLANE)
                .should()
                .callMethodWhere(target(name("delete")).and(target(owner(assignableTo(Deletable.class)))))
                .because("the client's own delete() hits whatever has the name by now: use Applier or Deletion")
                .check(all);
    }

    /** Classes that make parsers of their own: docs/security.md says what they read, and within which limits. */
    private static final Set<String> PARSERS = Set.of(
            "io.capoa.api.conversion.ConversionData",
            "io.capoa.api.conversion.DurationSeconds",
            "io.capoa.api.conversion.OlderSchemas",
            "io.capoa.api.conversion.Remainder",
            "io.capoa.api.rules.schema.HubSchemas",
            "io.capoa.controlplane.mirror.RegistriesConf",
            "io.capoa.controlplane.release.TarEntries",
            "io.capoa.controlplane.workload.client.WorkloadClusterAccess$JsonAlone",
            "io.capoa.lint.manifest.ManifestReader",
            "io.capoa.runtime.connection.ObjectReading",
            "io.capoa.runtime.tls.ServingCertificate",
            "io.capoa.runtime.webhook.AdmissionHandler",
            "io.capoa.runtime.webhook.ConversionHandler",
            "io.capoa.runtime.webhook.ReviewParser",
            "io.capoa.runtime.write.Differences");

    private static final Set<String> PARSER_TYPES = Set.of(
            "com.fasterxml.jackson.core.TokenStreamFactory",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "com.fasterxml.jackson.databind.cfg.MapperBuilder",
            "io.fabric8.kubernetes.client.utils.KubernetesSerialization",
            "java.math.BigDecimal",
            "org.apache.commons.compress.archivers.ArchiveInputStream",
            "org.snakeyaml.engine.v2.api.Load",
            "org.snakeyaml.engine.v2.api.lowlevel.Parse",
            "org.yaml.snakeyaml.Yaml");

    @Test
    void whatOthersWrite_isParsedByTheOnePlaceThatLimitsIt() {
        DescribedPredicate<JavaClass> elsewhere = resideInAnyPackage(API, LINT, RUNTIME, BOOTSTRAP, CONTROL_PLANE)
                .and(not(resideInAPackage("io.capoa.api.untrusted")))
                .and(not(describe("with a parser of its own", owner -> PARSERS.contains(owner.getName()))));
        DescribedPredicate<JavaClass> parser = describe(
                "parsers",
                type -> !resideInAPackage("io.capoa..").test(type)
                        && PARSER_TYPES.stream().anyMatch(type::isAssignableTo));
        noClasses()
                .that(elsewhere)
                .should()
                .callConstructorWhere(target(owner(parser)))
                .orShould()
                .callMethodWhere(target(name("builder")).and(target(owner(parser))))
                .orShould()
                .callConstructorWhere(describe(
                        "BigInteger of a text",
                        call -> call.getTargetOwner().isEquivalentTo(BigInteger.class)
                                && call.getTarget()
                                        .getRawParameterTypes()
                                        .getFirst()
                                        .isEquivalentTo(String.class)))
                .orShould()
                .callMethodWhere(target(owner(assignableTo(CertificateFactory.class))))
                .because("UntrustedContent limits what others have written")
                .check(all);
        assertThat(PARSERS)
                .as("exceptions")
                .allSatisfy(one -> assertThat(all.contain(one)).isTrue());
    }

    /** A dry run has no side effects then, and the answer of the request itself. */
    @Test
    void admission_reachesNoClientAndNoFile() {
        Set<JavaClass> reached = new HashSet<>();
        Deque<JavaClass> next = new ArrayDeque<>();
        all.that(resideInAPackage("io.capoa.api.rules..").or(resideInAPackage("io.capoa.*.admission..")))
                .forEach(next::add);
        assertThat(next).hasSizeGreaterThan(20);
        while (!next.isEmpty()) {
            JavaClass one = next.remove();
            if (reached.add(one) && one.getPackageName().startsWith("io.capoa.")) {
                one.getDirectDependenciesFromSelf().forEach(dependency -> next.add(dependency.getTargetClass()));
            }
        }
        assertThat(reached)
                .noneMatch(resideInAnyPackage(
                                "java.net.http..", "okhttp3..", "java.nio.file..", "io.fabric8.kubernetes.client.dsl..")
                        .or(assignableTo(KubernetesClient.class)));
    }

    /** A further infrastructure provider is then one class of that package, and no other class changes. */
    @Test
    void infrastructureProviders_areChosenAndKnownInOnePackageAlone() {
        String infrastructure = "io.capoa.bootstrap.infrastructure";
        DescribedPredicate<JavaClass> implementation = assignableTo(Infrastructure.class)
                .or(assignableTo(Host.class))
                .or(assignableTo(InfrastructureProvider.class))
                .and(not(INTERFACES))
                .as("implement an infrastructure provider");
        assertThat(all.that(implementation).that(resideInAPackage(infrastructure)))
                .as("implementations")
                .hasSizeGreaterThan(3);
        DescribedPredicate<JavaClass> kindOfMetal3 = simpleNameStartingWith("BareMetalHost")
                .or(simpleNameStartingWith("Metal3"))
                .or(simpleNameStartingWith("OlderMetal3"))
                .as("are kinds of Metal3");
        noClasses()
                .that()
                .resideInAPackage(BOOTSTRAP)
                .and()
                .resideOutsideOfPackage(infrastructure)
                .should()
                .dependOnClassesThat(implementation.or(kindOfMetal3))
                .check(all);
    }

    @Test
    void theControlPlaneReconciler_observesAppliesAndReportsInThisOrder() {
        String steps = "io.capoa.controlplane.steps..";
        String status = "io.capoa.controlplane.status..";
        String reconcile = "io.capoa.controlplane.reconcile..";
        noClasses()
                .that()
                .resideInAPackage("io.capoa.controlplane.observe..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(steps, status, reconcile)
                .check(all);
        noClasses()
                .that()
                .resideInAPackage(steps)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(status, reconcile)
                .check(all);
        noClasses()
                .that()
                .resideInAPackage(status)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(reconcile)
                .check(all);
    }

    @Test
    void thePackagesOfAModule_haveNoCycles() {
        slices().matching("io.capoa.lint.(**)").should().beFreeOfCycles().check(all);
        slices().matching("io.capoa.runtime.(*)..").should().beFreeOfCycles().check(all);
        slices().matching("io.capoa.bootstrap.(*)..").should().beFreeOfCycles().check(all);
        slices().matching("io.capoa.lab.(*)..").should().beFreeOfCycles().check(all);
        slices().matching("io.capoa.controlplane.(*)..")
                .should()
                .beFreeOfCycles()
                .check(all);
        slices().matching("io.capoa.controlplane.(**)")
                .should()
                .beFreeOfCycles()
                .check(all);
    }
}
