package io.capoa.runtime.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The committed dashboard is its definition, and asks for what is documented; {@code -Dcapoa.golden=write} rewrites it. */
class DashboardTest {

    private static final Path FILE = Path.of("..", "config", "prometheus", "dashboard.json");
    private static final DocumentedSeries DOCUMENTED = DocumentedSeries.of("metrics.md", "alerts.md");
    private static final Pattern SERIES = Pattern.compile("\\b([a-z]+_[a-z_]+)(\\{([^}]*)})?");
    private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");
    private static final Pattern MATCHER = Pattern.compile("([a-z]+)(=~?)\"([^\"]*)\"");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{([a-z]+)}}");
    private static final Set<String> FUNCTIONS = Set.of("histogram_quantile", "clamp_min");

    static List<Panel> panels() {
        return Dashboard.rows().stream().flatMap(row -> row.panels().stream()).toList();
    }

    @Test
    void theCommittedDashboard_isItsDefinition() throws IOException {
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.writeString(FILE, Dashboard.json());
        }
        assertThat(FILE)
                .as("if the change is meant, rewrite it: see \"Generated files\" in docs/development.md")
                .hasContent(Dashboard.json());
    }

    @Test
    void panelsDoNotOverlap_andHaveIdsOfTheirOwn() throws IOException {
        Set<Integer> ids = new HashSet<>();
        Set<List<Integer>> taken = new HashSet<>();
        JsonNode all = new ObjectMapper().readTree(Dashboard.json()).path("panels");
        assertThat(all).hasSizeGreaterThan(15);
        for (JsonNode panel : all) {
            assertThat(ids.add(panel.path("id").asInt())).isTrue();
            JsonNode place = panel.path("gridPos");
            for (int x = place.path("x").asInt(), w = 0; w < place.path("w").asInt(); w++) {
                for (int y = place.path("y").asInt(), h = 0; h < place.path("h").asInt(); h++) {
                    assertThat(x + w).isLessThan(24);
                    assertThat(taken.add(List.of(x + w, y + h)))
                            .as("%s overlaps", panel.path("title").asText())
                            .isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("panels")
    void aPanelAsksForSeriesAndLabelsThatAreDocumented(Panel panel) {
        assertThat(panel.queries()).isNotEmpty();
        for (Panel.Query query : panel.queries()) {
            Set<String> grouping = lists(GROUPING.matcher(query.expression()));
            Matcher series = SERIES.matcher(GROUPING.matcher(query.expression()).replaceAll("by"));
            int found = 0;
            while (series.find()) {
                if (FUNCTIONS.contains(series.group(1))) {
                    continue;
                }
                found++;
                assertThat(DOCUMENTED.labelsOf(series.group(1)))
                        .as(series.group(1))
                        .hasValueSatisfying(labels -> assertThat(labels).containsAll(grouping));
                String selector = series.group(3) == null ? "" : series.group(3);
                assertThat(DOCUMENTED.labelsOf(series.group(1)).orElseThrow())
                        .containsAll(lists(MATCHER.matcher(selector)));
                assertConditionsExist(selector);
            }
            assertThat(found).as(query.expression()).isPositive();
            assertThat(grouping).containsAll(lists(LEGEND.matcher(query.legend())));
        }
    }

    private static void assertConditionsExist(String selector) {
        Set<String> known = kindsOf(selector).stream()
                .flatMap(constants -> Arrays.stream(constants.getFields()))
                .map(DashboardTest::value)
                .collect(Collectors.toSet());
        MATCHER.matcher(selector)
                .results()
                .filter(match -> Set.of("type", "reason").contains(match.group(1)))
                .flatMap(match -> Stream.of(match.group(3).split("\\|", -1)))
                .forEach(name -> assertThat(known).contains(name));
    }

    private static List<Class<?>> kindsOf(String selector) {
        if (!selector.contains("controller=")) {
            return List.of(ConfigConditions.class, ControlPlaneConditions.class);
        }
        return List.of(
                selector.contains("openshiftassistedconfig") ? ConfigConditions.class : ControlPlaneConditions.class);
    }

    private static String value(Field constant) {
        try {
            return String.valueOf(constant.get(null));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> lists(Matcher matcher) {
        return matcher.results()
                .flatMap(match -> Stream.of(match.group(1).split(",", -1)))
                .map(String::strip)
                .collect(Collectors.toSet());
    }
}
