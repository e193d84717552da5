package io.capoa.api.rules.schema;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A regular expression of a schema or of CEL, which Go evaluates: {@code $} is the end of the text, not of its last line,
 * and the time is bounded, whatever the text is.
 */
final class GoPattern {

    /** Steps of Java's search for each character, far above what a text that matches takes. */
    private static final int STEPS = 64;

    private static final Map<String, GoPattern> KNOWN = new ConcurrentHashMap<>();

    private final Pattern pattern;

    private GoPattern(String expression) {
        this.pattern = Pattern.compile(translated(expression), Pattern.UNIX_LINES);
    }

    static GoPattern of(String expression) {
        return KNOWN.computeIfAbsent(expression, GoPattern::new);
    }

    /** Whether the text holds a match; not if the search would take too long. */
    boolean find(String text) {
        try {
            return pattern.matcher(new Bounded(text, new AtomicInteger(STEPS * (text.length() + STEPS))))
                    .find();
        } catch (TooManySteps | StackOverflowError e) {
            return false;
        }
    }

    private static String translated(String expression) {
        StringBuilder java = new StringBuilder();
        boolean inClass = false;
        for (int i = 0; i < expression.length(); i++) {
            char c = expression.charAt(i);
            if (c == '\\') {
                java.append(c).append(expression.charAt(++i));
                continue;
            }
            inClass = inClass ? c != ']' : c == '[';
            java.append(c == '$' && !inClass ? "\\z" : c);
        }
        return java.toString();
    }

    /** Unchecked: it has to pass through Java's search. */
    private static final class TooManySteps extends RuntimeException {

        TooManySteps() {
            super("", null, false, false);
        }
    }

    /**
     * A text that can be read only so often.
     *
     * @param left characters that may still be read
     */
    private record Bounded(String text, AtomicInteger left) implements CharSequence {

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (left.getAndDecrement() <= 0) {
                throw new TooManySteps();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Bounded(text.substring(start, end), left);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
