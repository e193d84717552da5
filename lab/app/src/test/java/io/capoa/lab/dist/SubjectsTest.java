package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code .ci/subjects} in temporary repositories. */
class SubjectsTest {

    @TempDir
    private Path folder;

    private Path repository;

    @BeforeEach
    void aRepositoryWithAnOldCommit() throws Exception {
        repository = folder.resolve("repository");
        Files.createDirectories(repository.resolve(".ci"));
        Files.copy(ProjectRoot.find().resolve(".ci/subjects"), repository.resolve(".ci/subjects"));
        git("init", "--quiet");
        commit("An old subject.");
        since(git("rev-parse", "HEAD").said().strip());
        git("add", ".ci");
        git("commit", "--quiet", "-m", "ci: check subjects");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "controlplane: remove etcd member before host",
                "cert-manager: format certificates as PEM",
                "docs: 789 123456789 123456789 123456789 123456789 123456789 123456789 12"
            })
    void aPartAndAShortSubject_areAccepted(String subject) throws Exception {
        commit(subject);

        Ended ended = check(repository);

        assertThat(ended.said()).contains("subjects: 2 checked, 0 wrong");
        assertThat(ended.code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "remove etcd member before host",
                "lab: wip",
                "lab: WIP, to be continued",
                "lab: format",
                "lab: end in a full stop.",
                "docs: 789 123456789 123456789 123456789 123456789 123456789 123456789 123"
            })
    void anySubjectElse_isNamed(String subject) throws Exception {
        commit(subject);

        Ended ended = check(repository);

        assertThat(ended.said()).contains(subject, "subjects: 2 checked, 1 wrong");
        assertThat(ended.code()).isOne();
    }

    @Test
    void aMergeCommit_isExempt() throws Exception {
        git("checkout", "--quiet", "-b", "topic");
        commit("lab: change something");
        git("checkout", "--quiet", "-");
        git("merge", "--quiet", "--no-ff", "-m", "Merge branch topic.", "topic");

        assertThat(check(repository).said()).contains("subjects: 2 checked, 0 wrong");
        assertThat(check(shallowClone()).said()).contains("subjects: 0 checked, 0 wrong");
    }

    @Test
    void aShallowCloneWithoutTheRecordedCommit_checksTheCommitsItHas() throws Exception {
        commit("lab: wip");
        commit("lab: change something");

        Ended ended = check(shallowClone());

        assertThat(ended.said()).contains("not in this shallow clone", "subjects: 1 checked, 0 wrong");
        assertThat(ended.code()).isZero();
    }

    @Test
    void anotherHistory_isNotChecked() throws Exception {
        since("0123456789012345678901234567890123456789");

        Ended ended = check(repository);

        assertThat(ended.said()).startsWith("SKIPPED: ");
        assertThat(ended.code()).isZero();
    }

    private Path shallowClone() throws IOException, InterruptedException {
        Path shallow = folder.resolve("shallow");
        git("clone", "--quiet", "--depth=1", "file://" + repository, shallow.toString());
        return shallow;
    }

    private void commit(String subject) throws IOException, InterruptedException {
        git("commit", "--quiet", "--allow-empty", "-m", subject);
    }

    private void since(String commit) throws IOException {
        Files.writeString(repository.resolve(".ci/subjects-since"), commit + "\n");
    }

    private Ended git(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "git", "-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"));
        command.addAll(List.of(arguments));
        Ended ended = run(repository, command);
        assertThat(ended.code()).as(ended.said()).isZero();
        return ended;
    }

    private static Ended check(Path repository) throws IOException, InterruptedException {
        return run(repository, List.of(repository.resolve(".ci/subjects").toString()));
    }

    private record Ended(int code, String said) {}

    private static Ended run(Path folder, List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(variable -> variable.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return new Ended(process.exitValue(), said);
    }
}
