package io.capoa.lab.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TagFilter;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * A run of Surefire that a POM declares: part of a tier.
 *
 * @param module module that alone has it; empty for all
 * @param tier {@code fast}, {@code full}, {@code e2e}, {@code conformance} or {@code endurance}, from the property that names its phase
 * @param groups tag expression of the suites that it runs; empty for all
 * @param excludedGroups tag expression of the suites that it leaves out; empty for none
 */
record Execution(String module, String tier, String groups, String excludedGroups) {

    private static final Pattern PHASE = Pattern.compile("\\$\\{capoa\\.(\\w+)\\.phase}");
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([\\w.]+)}");

    /** Those of the root's POM and of the modules' own, with the values of a build without profiles. */
    static List<Execution> of(Path root) throws IOException {
        Document parent = parse(root.resolve("pom.xml"));
        List<Execution> executions = new ArrayList<>(read(parent, "", parent));
        for (String module : Suites.modules()) {
            Path pom = root.resolve(module).resolve("pom.xml");
            if (Files.exists(pom)) {
                executions.addAll(read(parse(pom), module, parent));
            }
        }
        return executions;
    }

    /** Whether it runs the suite. Surefire selects by the names of classes first, see {@link #isSuiteName}. */
    boolean runs(Suite suite) {
        TestDescriptor descriptor = new Tagged(suite.tags());
        return (module.isEmpty() || module.equals(suite.module()))
                && (groups.isEmpty() || includes(TagFilter.includeTags(groups), descriptor))
                && (excludedGroups.isEmpty() || includes(TagFilter.excludeTags(excludedGroups), descriptor));
    }

    /** Whether Surefire takes a class of this name for a suite, with its default patterns. */
    static boolean isSuiteName(String simpleName) {
        return simpleName.matches("Test.*|.*(Test|Tests|TestCase)");
    }

    private static boolean includes(PostDiscoveryFilter filter, TestDescriptor descriptor) {
        FilterResult result = filter.apply(descriptor);
        return result.included();
    }

    private static Document parse(Path pom) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("Cannot read %s: %s".formatted(pom, e.getMessage()), e);
        }
    }

    private static List<Execution> read(Document pom, String module, Document parent) {
        List<Execution> executions = new ArrayList<>();
        NodeList all = pom.getElementsByTagName("execution");
        for (int i = 0; i < all.getLength(); i++) {
            Element execution = (Element) all.item(i);
            Matcher phase = PHASE.matcher(text(execution, "phase"));
            if (phase.matches()) {
                // The first element with the name of a property is outside the profiles.
                String groups = PROPERTY.matcher(text(execution, "groups"))
                        .replaceAll(property -> text(parent.getDocumentElement(), property.group(1)));
                executions.add(new Execution(module, phase.group(1), groups, text(execution, "excludedGroups")));
            }
        }
        return executions;
    }

    private static String text(Element element, String name) {
        NodeList found = element.getElementsByTagName(name);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent().trim();
    }

    /** A test with tags, as JUnit's filters read it. */
    private static final class Tagged extends AbstractTestDescriptor {

        private final Set<TestTag> tags;

        Tagged(Set<String> tags) {
            super(UniqueId.forEngine("tags"), "tags");
            this.tags = tags.stream().map(TestTag::create).collect(Collectors.toUnmodifiableSet());
        }

        @Override
        public Set<TestTag> getTags() {
            return tags;
        }

        @Override
        public Type getType() {
            return Type.TEST;
        }
    }
}
