package io.capoa.runtime.options;

import io.capoa.runtime.logging.LogFormat;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * The log flags of the Go provider (k8s.io/component-base/logs), so that its manifests start this process. All but the format
 * are without effect.
 */
final class GoLogOptions {

    @Option(
            names = "--logging-format",
            hidden = true,
            paramLabel = "FORMAT",
            defaultValue = "json",
            converter = LogFormat.Converter.class)
    LogFormat format = LogFormat.JSON;

    @Option(names = "--log-flush-frequency", hidden = true, paramLabel = "DURATION")
    String flushFrequency = "";

    @Option(names = "--vmodule", hidden = true, paramLabel = "PATTERN=N[,...]")
    String verbosityByModule = "";

    @Option(
            names = {"--log-text-split-stream", "--log-json-split-stream"},
            hidden = true,
            arity = "0..1",
            paramLabel = "BOOL",
            fallbackValue = "true")
    List<Boolean> splitStream = new ArrayList<>();

    @Option(
            names = {"--log-text-info-buffer-size", "--log-json-info-buffer-size"},
            hidden = true,
            paramLabel = "SIZE")
    List<String> infoBufferSize = new ArrayList<>();
}
