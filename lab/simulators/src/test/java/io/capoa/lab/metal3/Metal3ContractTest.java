package io.capoa.lab.metal3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Go executables, which contain package names, and CRDs of either contract. */
class Metal3ContractTest {

    private static final String PATH = "github.com/metal3-io/cluster-api-provider-metal3/api/";

    @TempDir
    private Path folder;

    private Path programs;
    private Path definitions;

    @BeforeEach
    void makeFolders() throws IOException {
        programs = Files.createDirectories(folder.resolve("programs"));
        definitions = Files.createDirectories(folder.resolve("crds/metal3"));
    }

    @Test
    void anExecutableOfTheNewerContract_isNoMatchForOlderDefinitions() throws IOException {
        executable(PATH + "v1beta2.(*Metal3Machine).DeepCopy" + PATH + "v1beta1");
        definitions("v1beta1");

        assertThat(Metal3Contract.mismatch(programs, folder.resolve("crds")))
                .hasValueSatisfying(sentence -> assertThat(sentence)
                        .contains("works with Metal3Machine v1beta2", "serve v1beta1 alone", "of the same release"));
    }

    @Test
    void anOlderExecutable_isNoMatchForDefinitionsThatServeTheNewerVersionAlone() throws IOException {
        executable(PATH + "v1beta1.(*Metal3Machine).DeepCopy");
        definitions("v1beta2");

        assertThat(Metal3Contract.mismatch(programs, definitions))
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("works with Metal3Machine v1beta1"));
    }

    @Test
    void thoseOfOneRelease_fit() throws IOException {
        executable(PATH + "v1beta2.(*Metal3Machine).DeepCopy");
        definitions("v1beta2");

        assertThat(Metal3Contract.mismatch(programs, definitions)).isEmpty();
    }

    @Test
    void whatDoesNotSay_isTaken() throws IOException {
        executable("#!/bin/sh");
        definitions("v1beta2");

        assertThat(Metal3Contract.mismatch(programs, definitions)).isEmpty();
    }

    /** Also if the name crosses a chunk boundary. */
    private void executable(String content) throws IOException {
        Files.writeString(programs.resolve(Metal3Programs.CAPM3), "x".repeat((1 << 20) - 40) + content);
    }

    private void definitions(String version) throws IOException {
        Files.writeString(
                definitions.resolve("infrastructure.cluster.x-k8s.io_metal3machines.yaml"), """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: metal3machines.infrastructure.cluster.x-k8s.io}
                spec:
                  versions:
                  - {name: %s, served: true, storage: true}
                """.formatted(version));
    }
}
