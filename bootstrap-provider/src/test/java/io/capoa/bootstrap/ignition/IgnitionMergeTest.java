package io.capoa.bootstrap.ignition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IgnitionMergeTest {

    @ParameterizedTest(name = "{0} with {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Files and units by their key, in the parent's place.
                "`\"storage\":{\"files\":[{\"path\":\"/a\",\"mode\":1},{\"path\":\"/b\"}]}`|`\"storage\":{\"files\":[{\"path\":\"/c\"},{\"path\":\"/a\",\"mode\":2}]}`|`\"storage\":{\"files\":[{\"path\":\"/a\",\"mode\":2},{\"path\":\"/b\"},{\"path\":\"/c\"}]}`",
                "`\"systemd\":{\"units\":[{\"name\":\"u\",\"dropins\":[{\"name\":\"d\",\"contents\":\"1\"}]}]}`|`\"systemd\":{\"units\":[{\"name\":\"u\",\"dropins\":[{\"name\":\"d\",\"contents\":\"2\"},{\"name\":\"e\"}]}]}`|`\"systemd\":{\"units\":[{\"name\":\"u\",\"dropins\":[{\"name\":\"d\",\"contents\":\"2\"},{\"name\":\"e\"}]}]}`",
                // Strings once, options as often as they are written.
                "`\"passwd\":{\"users\":[{\"name\":\"core\",\"sshAuthorizedKeys\":[\"k\"]}]}`|`\"passwd\":{\"users\":[{\"name\":\"core\",\"sshAuthorizedKeys\":[\"k\",\"l\"]}]}`|`\"passwd\":{\"users\":[{\"name\":\"core\",\"sshAuthorizedKeys\":[\"k\",\"l\"]}]}`",
                "`\"storage\":{\"filesystems\":[{\"device\":\"/d\",\"options\":[\"-L\"]}]}`|`\"storage\":{\"filesystems\":[{\"device\":\"/d\",\"options\":[\"-L\"]}]}`|`\"storage\":{\"filesystems\":[{\"device\":\"/d\",\"options\":[\"-L\",\"-L\"]}]}`",
                // A link takes the place of a file; kernel arguments cancel out; null says nothing.
                "`\"storage\":{\"files\":[{\"path\":\"/a\"}]}`|`\"storage\":{\"links\":[{\"path\":\"/a\"}]}`|`\"storage\":{\"files\":[],\"links\":[{\"path\":\"/a\"}]}`",
                "`\"kernelArguments\":{\"shouldExist\":[\"a\",\"b\"]}`|`\"kernelArguments\":{\"shouldNotExist\":[\"a\"]}`|`\"kernelArguments\":{\"shouldExist\":[\"b\"],\"shouldNotExist\":[\"a\"]}`",
                "`\"x\":{\"y\":1}`|`\"x\":{\"y\":null,\"z\":2}`|`\"x\":{\"y\":1,\"z\":2}`",
                // Entries without a key are appended.
                "`\"ignition\":{\"version\":\"3.1.0\",\"config\":{\"merge\":[{\"source\":\"a\"}]}}`|`\"ignition\":{\"version\":\"3.1.0\",\"config\":{\"merge\":[{\"source\":\"a\"}]}}`|`\"ignition\":{\"version\":\"3.1.0\",\"config\":{\"merge\":[{\"source\":\"a\"},{\"source\":\"a\"}]}}`"
            })
    void childAndParentMerge(String parent, String child, String merged) {
        assertThat(config(parent).merge(config(child)).toJson())
                .isEqualTo(config(merged).toJson());
    }

    @Test
    void theNewerVersionIsKept() {
        Ignition older = Ignition.parse("{\"ignition\":{\"version\":\"3.0.0\"}}", "test");
        Ignition newer = Ignition.parse("{\"ignition\":{\"version\":\"3.4.0\"}}", "test");

        assertThat(older.merge(newer).version()).isEqualTo("3.4.0");
        assertThat(newer.merge(older).toJson()).isEqualTo("{\"ignition\":{\"version\":\"3.4.0\"}}");
    }

    private static Ignition config(String fields) {
        String version = fields.startsWith("\"ignition\"") ? "" : "\"ignition\":{\"version\":\"3.1.0\"},";
        return Ignition.parse("{" + version + fields + "}", "test");
    }
}
