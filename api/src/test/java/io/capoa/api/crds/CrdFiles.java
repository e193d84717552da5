package io.capoa.api.crds;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.SortedMap;
import java.util.TreeMap;

/** Generates the CRDs: file name, {@code <group>_<plural>.yaml}, to content. */
public final class CrdFiles {

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build();

    private CrdFiles() {}

    public static SortedMap<String, String> generate() {
        var files = new TreeMap<String, String>();
        int generated = new CRDGenerator()
                .customResourceClasses(Kinds.ALL)
                .forCRDVersions("v1")
                .withParallelGenerationEnabled(false)
                .withPostProcessor(new CRDPostProcessor() {
                    @Override
                    public HasMetadata process(HasMetadata generatedCrd, String crdSpecVersion) {
                        var crd = (CustomResourceDefinition) generatedCrd;
                        SchemaGaps.close(crd);
                        OlderVersions.add(crd);
                        files.put(fileName(crd), yaml(crd));
                        return crd;
                    }
                })
                .withOutput(new Discarded())
                .generate();
        if (generated != Kinds.ALL.size()) {
            throw new IllegalStateException("generated " + generated + " CRDs, not " + Kinds.ALL.size());
        }
        return files;
    }

    private static String yaml(CustomResourceDefinition crd) {
        try {
            return YAML.writeValueAsString(crd);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String fileName(CustomResourceDefinition crd) {
        return crd.getSpec().getGroup() + "_" + crd.getSpec().getNames().getPlural() + ".yaml";
    }

    /** The generator's own files are not wanted: it names them otherwise. */
    private static final class Discarded extends CRDGenerator.AbstractCRDOutput<OutputStream> {
        @Override
        protected OutputStream createStreamFor(String crdName) throws IOException {
            return new ByteArrayOutputStream();
        }
    }
}
