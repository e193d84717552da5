package io.capoa.lab.page;

import static io.capoa.lab.page.PageState.Group.READY;
import static io.capoa.lab.page.PageState.Group.TROUBLE;

import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.Fields;
import io.capoa.lab.page.Detail.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Hardware of a host and the validations that it does not pass, as its Agent has them. */
final class HostFacts {

    private HostFacts() {}

    static List<Fact> of(Agent agent) {
        AgentView view = AgentView.of(agent);
        Map<String, Object> inventory = Fields.map(agent, "status", "inventory");
        List<Fact> facts = new ArrayList<>();
        add(facts, "state", view.stateInfo().isEmpty() ? view.state() : view.stateInfo());
        add(facts, "host name", view.hostname() == null ? "" : view.hostname());
        add(
                facts,
                "processor",
                Fields.text(inventory, "cpu", "count") + " × " + Fields.text(inventory, "cpu", "architecture"));
        add(facts, "memory", size(Fields.any(inventory, "memory", "physicalBytes")));
        add(
                facts,
                "disks",
                list(view.disks(), disk -> Fields.text(disk, "name") + " " + size(Fields.any(disk, "sizeBytes"))));
        add(
                facts,
                "interfaces",
                list(view.interfaces(), one -> Fields.text(one, "name") + " " + Fields.text(one, "macAddress")));
        Fields.map(agent, "status", "validationsInfo").forEach((category, validations) -> {
            if (validations instanceof List<?> list) {
                list.stream()
                        .filter(one -> List.of("failure", "error").contains(Fields.text(one, "status")))
                        .forEach(one -> facts.add(new Fact(
                                category + ": " + Fields.text(one, "id"),
                                Redacted.text(Fields.text(one, "message")),
                                TROUBLE)));
            }
        });
        return facts;
    }

    private static void add(List<Fact> facts, String name, String value) {
        if (!value.isBlank() && !value.startsWith(" ")) {
            facts.add(new Fact(name, Redacted.text(value), READY));
        }
    }

    private static String list(List<?> entries, Function<Object, String> text) {
        return entries.stream().map(entry -> text.apply(entry)).collect(Collectors.joining(", "));
    }

    private static String size(@Nullable Object bytes) {
        return bytes instanceof Number number
                ? String.format(Locale.ROOT, "%.0f GiB", number.doubleValue() / (1L << 30))
                : "";
    }
}
