package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/annotate} with reports of Surefire. */
class AnnotateTest {

    @TempDir
    private Path folder;

    @Test
    void aFailedTest_isAnnotatedAtItsLine_andOthersAreNot() throws IOException {
        report("""
                <testsuite name="io.capoa.lab.dist.SteadyTest">
                  <testcase name="passes" classname="io.capoa.lab.dist.SteadyTest" time="0.1"/>
                  <testcase name="fails(int)[1] 3, 4" classname="io.capoa.lab.dist.SteadyTest" time="0.1">
                    <failure message="Expecting 100 &lt;%&gt;&#10;to be &quot;5&quot;" type="x"><![CDATA[java.lang.AssertionError:
                	at org.assertj.Something.isEqualTo(Something.java:7)
                	at io.capoa.lab.dist.SteadyTest.fails(SteadyTest.java:57)
                	at io.capoa.lab.dist.SteadyTest.outer(SteadyTest.java:99)
                ]]></failure>
                  </testcase>
                  <testcase name="skipped" classname="io.capoa.lab.dist.SteadyTest"><skipped/></testcase>
                </testsuite>
                """);

        assertThat(annotate())
                .isEqualTo("::error file=lab/app/src/test/java/io/capoa/lab/dist/SteadyTest.java,line=57,"
                        + "title=SteadyTest.fails(int)[1] 3%2C 4::Expecting 100 <%25>%0Ato be \"5\"\n");
    }

    @Test
    void anErrorWithoutALineOfTheTest_isAnnotatedAtTheClass() throws IOException {
        report("""
                <testsuite name="io.capoa.lab.dist.SteadyTest">
                  <testcase name="" classname="io.capoa.lab.dist.SteadyTest" time="0.1">
                    <error message="no cluster" type="x"/>
                  </testcase>
                </testsuite>
                """);

        assertThat(annotate())
                .isEqualTo("::error file=lab/app/src/test/java/io/capoa/lab/dist/SteadyTest.java,line=1,"
                        + "title=SteadyTest.::no cluster\n");
    }

    private void report(String xml) throws IOException {
        Path reports = Files.createDirectories(folder.resolve("module/target/surefire-reports"));
        Files.writeString(reports.resolve("TEST-io.capoa.lab.dist.SteadyTest.xml"), xml);
    }

    private String annotate() {
        return Output.of(
                        List.of(ProjectRoot.find().resolve(".ci/annotate").toString(), folder.toString()),
                        Map.of(),
                        Duration.ofSeconds(30))
                .orThrow()
                .text();
    }
}
