package io.capoa.api.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a conversion allocates, in bytes: the API server asks for one with every write and every older version. */
class ConversionCostTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Of an object whose managed fields and other metadata have far more than this. */
    private static final int MOST_FOR_METADATA = 16 << 10;

    private static final int MANAGED_FIELDS = 500;

    static Stream<OlderVersion> versions() {
        return RoundTripTest.versions();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void whatIsTheSameInBothVersions_isNotCopied(OlderVersion version) throws Exception {
        ObjectNode small = example(version);
        ObjectNode large = withManagedFields(small);
        ObjectNode smallOlder = version.fromHub(small);
        ObjectNode largeOlder = version.fromHub(large);

        assertThat(allocated(() -> version.fromHub(large)) - allocated(() -> version.fromHub(small)))
                .isLessThan(MOST_FOR_METADATA);
        assertThat(allocated(() -> version.toHub(largeOlder)) - allocated(() -> version.toHub(smallOlder)))
                .isLessThan(MOST_FOR_METADATA);
        assertThat(version.fromHub(large).at("/metadata/managedFields")).isSameAs(large.at("/metadata/managedFields"));
    }

    @ParameterizedTest
    @MethodSource("versions")
    void theConvertedObject_isLeftAsItIs(OlderVersion version) throws Exception {
        ObjectNode hub = withManagedFields(example(version));
        ObjectNode copy = hub.deepCopy();

        ObjectNode older = version.fromHub(hub);
        ObjectNode olderCopy = older.deepCopy();
        ObjectNode back = version.toHub(older);

        assertThat(hub).isEqualTo(copy);
        assertThat(older).isEqualTo(olderCopy);
        assertThat(back).isEqualTo(hub);
    }

    private static ObjectNode withManagedFields(ObjectNode object) {
        ObjectNode large = object.deepCopy();
        var entries = large.withObject("/metadata").putArray("managedFields");
        for (int i = 0; i < MANAGED_FIELDS; i++) {
            entries.addObject().put("manager", "m" + i).putObject("fieldsV1").putObject("f:spec");
        }
        return large;
    }

    private static ObjectNode example(OlderVersion version) throws IOException {
        String file = "/io/capoa/api/" + version.kind().toLowerCase(Locale.ROOT) + ".yaml";
        try (InputStream in = Objects.requireNonNull(ConversionCostTest.class.getResourceAsStream(file), file)) {
            return (ObjectNode) new YAMLMapper().readTree(in);
        }
    }

    /** The least of some conversions: the first ones load classes. */
    private static long allocated(Runnable conversion) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            conversion.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
