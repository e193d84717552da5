package io.capoa.controlplane.upgrade;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says how far an upgrade is, in steps that are coarse enough not to write a status every few seconds. */
final class UpgradeProgress {

    /** In the message of condition Progressing: "Working towards 4.20.5: 106 of 841 done (12% complete), waiting on etcd". */
    private static final Pattern PERCENT = Pattern.compile("\\((\\d{1,3})% complete\\)");

    private static final int STEP = 10;

    private UpgradeProgress() {}

    static String of(ClusterUpgradeState seen, ClusterVersionState version) {
        List<String> parts = new ArrayList<>();
        if (seen.operators().all() > 0) {
            parts.add("%d of %d cluster operators updated"
                    .formatted(seen.operators().updated(), seen.operators().all()));
        }
        Matcher percent = PERCENT.matcher(version.condition("Progressing", Condition.TRUE)
                .map(ConditionView::message)
                .orElse(""));
        if (percent.find()) {
            parts.add("%d %% applied".formatted(Integer.parseInt(percent.group(1)) / STEP * STEP));
        }
        seen.pools().forEach(pool -> parts.add(pool.progress()));
        return parts.isEmpty() ? "the cluster has begun" : String.join(", ", parts);
    }
}
