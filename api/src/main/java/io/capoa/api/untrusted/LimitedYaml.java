package io.capoa.api.untrusted;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.CharArrayReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;

/** YAML with limits on length, strings and numbers, which Jackson's parser for YAML does not check itself. */
final class LimitedYaml extends YAMLFactory {

    private static final long serialVersionUID = 1L;

    LimitedYaml(StreamReadConstraints constraints) {
        super(YAMLFactory.builder().streamReadConstraints(constraints).loaderOptions(limited(constraints)));
    }

    private static LoaderOptions limited(StreamReadConstraints constraints) {
        var options = new LoaderOptions();
        options.setCodePointLimit(constraints.getMaxStringLength());
        return options;
    }

    @Override
    protected YAMLParser _createParser(Reader yaml, IOContext context) {
        return new Parser(context, _parserFeatures, _yamlParserFeatures, _objectCodec, yaml);
    }

    @Override
    protected YAMLParser _createParser(InputStream yaml, IOContext context) throws IOException {
        return _createParser(_createReader(yaml, null, context), context);
    }

    @Override
    protected YAMLParser _createParser(char[] yaml, int offset, int length, IOContext context, boolean recyclable) {
        return _createParser(new CharArrayReader(yaml, offset, length), context);
    }

    @Override
    protected YAMLParser _createParser(byte[] yaml, int offset, int length, IOContext context) throws IOException {
        return _createParser(_createReader(yaml, offset, length, null, context), context);
    }

    private final class Parser extends YAMLParser {

        Parser(IOContext context, int features, int yamlFeatures, @Nullable ObjectCodec codec, Reader yaml) {
            super(context, features, yamlFeatures, _loaderOptions, codec, yaml);
        }

        @Override
        public @Nullable JsonToken nextToken() throws IOException {
            JsonToken token = super.nextToken();
            if (token == JsonToken.VALUE_STRING) {
                streamReadConstraints().validateStringLength(getTextLength());
            } else if (token == JsonToken.VALUE_NUMBER_INT || token == JsonToken.VALUE_NUMBER_FLOAT) {
                streamReadConstraints().validateFPLength(getTextLength());
            }
            return token;
        }
    }
}
