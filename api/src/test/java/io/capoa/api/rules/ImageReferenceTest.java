package io.capoa.api.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {

    private static final String DIGEST = "sha256:" + "a".repeat(64);

    @ParameterizedTest
    @CsvSource(textBlock = """
                    quay.io/okd/scos-release:4.18,  quay.io,        okd/scos-release, 4.18
                    mirror.lan:5000/a/b/c:1,        mirror.lan:5000, a/b/c,           1
                    [fd00::1]:5000/a:1,             [fd00::1]:5000, a,                1
                    localhost/a,                    localhost,      a,                latest
                    busybox:1,                      docker.io,      library/busybox,  1
                    org/name,                       docker.io,      org/name,         latest
                    """)
    void takesReferencesApart(String text, String registry, String path, String tag) {
        assertThat(ImageReference.parse(text)).isEqualTo(new ImageReference(registry, path, tag, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"quay.io/a", "mirror.lan:5000/a", "quay.io/a:tag"})
    void aDigestCountsMoreThanATag(String repository) {
        ImageReference image = ImageReference.parse(repository + "@" + DIGEST);
        assertThat(image.version()).isEqualTo(DIGEST);
        assertThat(image.withDigest(DIGEST).toString()).isEqualTo(repository.replace(":tag", "") + "@" + DIGEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "quay.io/a:4.20 0", "quay.io/a:b:c", "quay.io//a", "quay.io/A", "quay.io/a@sha256:12"})
    void whenTheTextIsNoReference_quotesIt(String text) {
        assertThatThrownBy(() -> ImageReference.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + text + "\" is not an image reference");
    }

    @ParameterizedTest
    @ValueSource(strings = {"quay.io/a", "a.", "a/"})
    void textThatIsFarTooLong_isRefused_andQuotedInShort(String part) {
        assertThatThrownBy(() -> ImageReference.parse(part.repeat(50_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .extracting(e -> String.valueOf(e.getMessage()).length())
                .matches(length -> length < 400, "a short message");
    }
}
