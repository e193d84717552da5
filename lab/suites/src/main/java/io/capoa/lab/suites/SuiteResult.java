package io.capoa.lab.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * How a suite ended, from the file that Surefire wrote.
 *
 * @param module folder of its module
 * @param suite name of the class
 * @param tests number of its tests
 * @param skipped number of those that were skipped
 * @param seconds of wall time
 * @param failures each failed test with the beginning of its message
 */
record SuiteResult(String module, String suite, int tests, int skipped, double seconds, List<String> failures) {

    private static final String PREFIX = "TEST-";
    private static final int LINES = 4;
    private static final int LONGEST_LINE = 300;

    /** Results that were written since the start of the build. */
    static List<SuiteResult> of(Path root, FileTime since) throws IOException {
        List<SuiteResult> results = new ArrayList<>();
        for (String module : Suites.modules()) {
            Path folder = root.resolve(module).resolve("target").resolve("surefire-reports");
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.list(folder)) {
                    for (Path file :
                            files.filter(SuiteResult::isResult).sorted().toList()) {
                        if (Files.getLastModifiedTime(file).compareTo(since) >= 0) {
                            results.add(read(module, file));
                        }
                    }
                }
            }
        }
        return results;
    }

    private static boolean isResult(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(PREFIX) && name.endsWith(".xml");
    }

    private static SuiteResult read(String module, Path file) throws IOException {
        try {
            Element suite = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
            return new SuiteResult(
                    module,
                    suite.getAttribute("name"),
                    number(suite, "tests"),
                    number(suite, "skipped"),
                    Double.parseDouble(suite.getAttribute("time").replace(",", "")),
                    failures(suite));
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("Cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static List<String> failures(Element suite) {
        List<String> failures = new ArrayList<>();
        NodeList cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            Element test = (Element) cases.item(i);
            for (String kind : List.of("failure", "error")) {
                NodeList found = test.getElementsByTagName(kind);
                if (found.getLength() > 0) {
                    failures.add(test.getAttribute("name") + ": " + beginning((Element) found.item(0)));
                }
            }
        }
        return failures;
    }

    private static String beginning(Element failure) {
        String message = failure.getAttribute("message").strip();
        String text = message.isEmpty() ? failure.getTextContent().strip() : message;
        String line = text.lines()
                .map(String::strip)
                .filter(part -> !part.isEmpty())
                .limit(LINES)
                .collect(Collectors.joining(" "));
        return line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "…" : line;
    }

    private static int number(Element element, String attribute) {
        return Integer.parseInt(element.getAttribute(attribute));
    }
}
