package io.capoa.lab.upgrade;

/**
 * A machine config pool.
 *
 * @param maxUnavailable such as {@code 1} or {@code 10%}; empty for one
 * @param target configuration that all nodes are to have
 * @param held whether no further node is updated
 * @param failure why updates of nodes fail; empty if they do not
 */
public record Pool(String name, boolean paused, String maxUnavailable, String target, boolean held, String failure) {

    private static final int PERCENT = 100;

    /** How many of the nodes may be unavailable at the same time; at least one. */
    int capacity(int nodes) {
        boolean percentage = maxUnavailable.endsWith("%");
        String digits = percentage ? maxUnavailable.substring(0, maxUnavailable.length() - 1) : maxUnavailable;
        if (!digits.matches("\\d{1,6}")) {
            return 1;
        }
        int number = Integer.parseInt(digits);
        return Math.max(1, percentage ? number * nodes / PERCENT : number);
    }
}
