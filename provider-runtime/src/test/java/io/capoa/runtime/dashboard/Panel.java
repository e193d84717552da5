package io.capoa.runtime.dashboard;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A panel of the dashboard.
 *
 * @param type Grafana's name of the visualization
 * @param unit Grafana's name of the unit
 * @param stacked whether the areas of the queries add up to something
 */
record Panel(String title, String description, String type, String unit, boolean stacked, List<Query> queries) {

    /**
     * What a panel asks Prometheus.
     *
     * @param legend with labels in double braces
     */
    record Query(String expression, String legend) {}

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    static Panel lines(String title, String unit, String description) {
        return new Panel(title, description, "timeseries", unit, false, List.of());
    }

    static Panel stack(String title, String description) {
        return new Panel(title, description, "timeseries", "short", true, List.of());
    }

    static Panel table(String title, String description) {
        return new Panel(title, description, "table", "short", false, List.of());
    }

    Panel show(String expression, String legend) {
        List<Query> all = new ArrayList<>(queries);
        all.add(new Query(expression, legend));
        return new Panel(title, description, type, unit, stacked, all);
    }

    boolean isTable() {
        return type.equals("table");
    }

    static ObjectNode source() {
        return JSON.objectNode().put("type", "prometheus").put("uid", "${datasource}");
    }

    ObjectNode json(int id) {
        ObjectNode panel = JSON.objectNode()
                .put("id", id)
                .put("type", type)
                .put("title", title)
                .put("description", description);
        panel.set("datasource", source());
        var targets = panel.putArray("targets");
        for (Query query : queries) {
            ObjectNode target = targets.addObject()
                    .put("refId", String.valueOf((char) ('A' + targets.size() - 1)))
                    .put("expr", query.expression())
                    .put("legendFormat", query.legend())
                    .put("instant", isTable())
                    .put("range", !isTable())
                    .put("format", isTable() ? "table" : "time_series");
            target.set("datasource", source());
        }
        if (isTable()) {
            hideColumns(panel);
            panel.putObject("options").put("showHeader", true);
        } else {
            ObjectNode options = panel.putObject("options");
            options.putObject("tooltip").put("mode", "multi");
            options.putObject("legend")
                    .put("displayMode", "list")
                    .put("placement", "bottom")
                    .put("showLegend", true);
        }
        fields(panel);
        return panel;
    }

    private void fields(ObjectNode panel) {
        ObjectNode config = panel.putObject("fieldConfig");
        ObjectNode defaults = config.putObject("defaults").put("unit", unit);
        if (!isTable()) {
            ObjectNode custom = defaults.put("min", 0).putObject("custom");
            custom.put("drawStyle", "line").put("lineWidth", 1).put("fillOpacity", stacked ? 40 : 0);
            custom.put("showPoints", "auto")
                    .putObject("stacking")
                    .put("group", "A")
                    .put("mode", stacked ? "normal" : "none");
        }
        config.putArray("overrides");
    }

    /** What a table does not show, since it is the same in all rows. */
    private static void hideColumns(ObjectNode panel) {
        ObjectNode hidden = panel.putArray("transformations")
                .addObject()
                .put("id", "organize")
                .putObject("options")
                .putObject("excludeByName");
        hidden.put("Time", true).put("Value", true);
    }
}
