package io.capoa.lab.whole;

import static org.junit.jupiter.api.Assertions.fail;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.conformance.ProviderDescriptions;
import io.capoa.lab.conformance.ProviderUnderTest;
import io.capoa.lab.conformance.Verdict;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The conformance suite for infrastructure providers: {@code mvn -Pconformance -Dcapoa.infrastructure=FILE verify}. It
 * runs in that profile alone.
 */
@Tag("conformance")
@ExtendWith(WholeLab.Shared.class)
class ConformanceTest {

    static Stream<ProviderUnderTest> providers() {
        return new ProviderDescriptions(ProjectRoot.find(), ProjectRoot.find())
                .select(System.getProperty("capoa.infrastructure", "")).stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("providers")
    void theProvider_obeysTheContract(ProviderUnderTest provider, WholeLab lab) {
        Verdict verdict = lab.check(provider);

        if (!verdict.breaches().isEmpty()) {
            fail(verdict.toString());
        }
    }
}
