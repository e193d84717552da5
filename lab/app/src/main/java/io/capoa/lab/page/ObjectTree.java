package io.capoa.lab.page;

import static io.capoa.lab.page.PageState.Group.PROGRESS;
import static io.capoa.lab.page.PageState.Group.READY;
import static io.capoa.lab.page.PageState.Group.TROUBLE;

import io.capoa.lab.page.Detail.ConditionLine;
import io.capoa.lab.page.Detail.ObjectLine;
import io.capoa.lab.page.Detail.Ref;
import io.capoa.lab.page.Detail.Wait;
import io.capoa.lab.page.PageState.Group;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * An object with the objects that it depends on.
 *
 * @param worst what is wrong with it, or what it waits for
 */
record ObjectTree(HasMetadata object, Optional<ConditionLine> worst, List<ObjectTree> children) {

    static ObjectTree of(HasMetadata object, List<ObjectTree> children) {
        return new ObjectTree(object, ObjectConditions.worst(object), children);
    }

    /** The worst of the object and all below it. */
    Group group() {
        return all().map(ObjectTree::own).min(Group::compareTo).orElse(READY);
    }

    private Group own() {
        return worst.map(ConditionLine::group).orElse(READY);
    }

    Stream<ObjectTree> all() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(ObjectTree::all));
    }

    /**
     * The object, what it waits for, what that waits for and so on. Trouble comes before waiting: what waits below an object
     * with trouble of its own waits for that object.
     */
    List<Wait> waits() {
        List<Wait> chain = new ArrayList<>();
        ObjectTree at = this;
        while (at != null) {
            HasMetadata said = at.object;
            at.worst.ifPresent(line -> chain.add(new Wait(ref(said), line.group(), line.reason(), line.message())));
            Group sought = at.group() == TROUBLE ? TROUBLE : PROGRESS;
            at = at.children.stream()
                    .filter(child -> child.group() == sought)
                    .findFirst()
                    .orElse(null);
        }
        return chain;
    }

    List<ObjectLine> lines() {
        List<ObjectLine> lines = new ArrayList<>();
        add(lines, 0);
        return lines;
    }

    private void add(List<ObjectLine> lines, int level) {
        lines.add(new ObjectLine(
                level, ref(object), own(), worst.map(ConditionLine::reason).orElse("")));
        children.forEach(child -> child.add(lines, level + 1));
    }

    static Ref ref(HasMetadata object) {
        return new Ref(
                object.getKind(),
                String.valueOf(object.getMetadata().getNamespace()),
                object.getMetadata().getName());
    }
}
