package io.capoa.lab.page;

import io.capoa.api.conditions.PlannedFinding;
import io.capoa.lab.page.PageState.EventLine;
import io.capoa.lab.page.PageState.Group;
import java.util.List;

/**
 * What an object opens to, as it is sent in JSON.
 *
 * @param waits the object, then what it waits for, and so on; the last one is where a person can do something
 * @param objects the object and those below it, with their distance from it
 * @param operations newest first
 * @param findings of the plan that was made before the first host is taken, of a Cluster and its control plane
 * @param facts hardware and validations of a host
 * @param events newest first
 * @param logs what the managers logged about these objects, oldest first; empty where the page cannot read it
 * @param logCommands what shows it there
 * @param yaml without managed fields, and without what may be a credential
 */
public record Detail(
        Ref object,
        Group group,
        List<Wait> waits,
        List<ObjectLine> objects,
        List<Timeline.Operation> operations,
        List<ConditionLine> conditions,
        List<PlannedFinding> findings,
        List<Fact> facts,
        List<EventLine> events,
        List<LogLine> logs,
        List<String> logCommands,
        String yaml) {

    /** An object that the page shows. */
    public record Ref(String kind, String namespace, String name) {}

    /** What one object of the chain says. */
    public record Wait(Ref object, Group group, String reason, String message) {}

    /** An object of the tree. */
    public record ObjectLine(int level, Ref object, Group group, String says) {}

    /**
     * A condition.
     *
     * @param group trouble, progress for what is waited for, or ready
     */
    public record ConditionLine(String type, String status, String reason, String message, String since, Group group) {}

    /** What a manager logged. */
    public record LogLine(String time, String level, String message) {}

    /** What is known of a host. */
    public record Fact(String name, String value, Group group) {}
}
