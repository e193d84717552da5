package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documents as a site, built from a small checkout; {@code .ci/checks} builds that of this one. */
class SiteTest {

    /** Installs packages the first time on a machine. */
    private static final Duration LIMIT = Duration.ofMinutes(3);

    @TempDir
    private Path folder;

    @BeforeEach
    void writesACheckout() throws IOException {
        write("tool.sh", "");
        write("CHANGELOG.md", "# Changes\n\nSee [the guide](docs/guide.md#its-a-part-of-it).\n");
        write("docs/README.md", """
                # Documents

                ## Read it first

                | document | |
                | --- | --- |
                | [guide.md](guide.md) | how |
                | [adr/](adr/README.md) | why |
                | [../CHANGELOG.md](../CHANGELOG.md) | when |
                """);
        write("docs/adr/README.md", "# Decisions\n\n[The first](0001-first.md)\n");
        write("docs/adr/0001-first.md", "# First\n\n[It](../../tool.sh), [then](../guide.md)\n");
        write("docs/guide.md", """
                # Guide

                ## It's a `part` of it

                1. Run [the tool](../tool.sh):

                   ```sh
                   ./tool.sh
                   ```

                   It ends.
                2. Read [what changed](../CHANGELOG.md).
                """);
    }

    @Test
    void theNavigationIsThatOfTheDocuments_andLinksToOtherFilesLeadToTheRepository() throws IOException {
        Output built = build();

        assertThat(built.code()).as(built.all()).isZero();
        assertThat(page("index.html"))
                .containsSubsequence(
                        "Read it first",
                        "href=\"guide.html\"",
                        "Decisions",
                        "href=\"adr/0001-first.html\"",
                        "href=\"repository/CHANGELOG.html\"",
                        ">main<");
        assertThat(page("guide.html"))
                .contains("id=\"its-a-part-of-it\"", "href=\"https://example.com/capoa/blob/main/tool.sh\"")
                .containsSubsequence("<ol>", "<li>", "<pre", "It ends.", "<li>", "repository/CHANGELOG.html", "</ol>");
        assertThat(page("repository/CHANGELOG.html")).contains("href=\"../guide.html#its-a-part-of-it\"");
        assertThat(Files.readSymbolicLink(folder.resolve("site/latest"))).hasToString("main");
        assertThat(folder.resolve("site/index.html")).content().contains("latest/index.html");
    }

    @Test
    void aDeadLinkOrAnchor_orAPageThatNothingLeadsTo_failsTheBuild() throws IOException {
        write("docs/guide.md", """
                # Guide

                [page](missing.md), [file](../missing.sh), [anchor](adr/README.md#missing), [own](#missing)
                """);
        write("docs/alone.md", "# Alone\n");

        Output built = build();

        assertThat(built.code()).isNotZero();
        assertThat(built.messages())
                .contains(
                        "docs/guide.md: dead link: missing.md",
                        "docs/guide.md: dead link: ../missing.sh",
                        "'adr/README.md#missing'",
                        "'#missing'",
                        "alone.md");
    }

    @Test
    void markdownThatTheSiteWouldShowInAnotherWay_failsTheBuild() throws IOException {
        write("docs/guide.md", """
                # Guide

                | a | b |
                | --- | --- |
                | 1 | 2 |

                | 3 | 4 |

                - one
                  - two

                ```sh
                """);

        Output built = build();

        assertThat(built.code()).isNotZero();
        assertThat(built.messages())
                .contains(
                        "docs/guide.md:7: a table has no header row",
                        "docs/guide.md:10: indent a list in a list by four spaces",
                        "docs/guide.md: a block of code has no end");
    }

    @Test
    void aFolderOfOtherFiles_isNotOverwritten() throws IOException {
        write("site/notes.txt", "mine");

        Output built = build();

        assertThat(built.code()).isEqualTo(2);
        assertThat(built.messages()).contains("site is no site of an earlier run: name a new folder.");
        assertThat(folder.resolve("site/notes.txt")).hasContent("mine");
    }

    private Output build() {
        Output built = Output.of(
                List.of(
                        ProjectRoot.find().resolve(".ci/site").toString(),
                        "--from",
                        folder.toString(),
                        folder.resolve("site").toString()),
                Map.of("CAPOA_SOURCE", "https://example.com/capoa"),
                LIMIT);
        assumeFalse(built.messages().contains("SKIPPED"), built::messages);
        return built;
    }

    private String page(String name) throws IOException {
        return Files.readString(folder.resolve("site/main").resolve(name));
    }

    private void write(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
