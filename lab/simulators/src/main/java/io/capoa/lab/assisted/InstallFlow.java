package io.capoa.lab.assisted;

/** State machine of an installation; pure. */
final class InstallFlow {

    private static final int PREPARED = 10;
    private static final int HOSTS = 70;
    private static final int ALL = 100;

    private InstallFlow() {}

    /**
     * The next state, which may be {@code now}.
     *
     * @param waited whether the duration of {@code now} is over
     */
    static ClusterState next(ClusterState now, InstallInputs inputs, boolean waited) {
        return switch (now) {
            case INSUFFICIENT, PENDING_FOR_INPUT, READY -> {
                if (!inputs.checks().computed()) {
                    yield ClusterState.INSUFFICIENT;
                }
                if (!inputs.checks().pending(inputs).isEmpty()) {
                    yield ClusterState.PENDING_FOR_INPUT;
                }
                if (!inputs.isSufficient()) {
                    yield ClusterState.INSUFFICIENT;
                }
                yield inputs.isComplete() && !inputs.onHold() ? ClusterState.PREPARING : ClusterState.READY;
            }
            case PREPARING -> waited ? ClusterState.INSTALLING : now;
            case INSTALLING -> {
                if (inputs.hasFailed()) {
                    yield ClusterState.ERROR;
                }
                yield inputs.isEnoughInstalled() ? ClusterState.FINALIZING : now;
            }
            case FINALIZING -> {
                if (inputs.hasFailed()) {
                    yield ClusterState.ERROR;
                }
                yield waited && inputs.isAllInstalled() ? ClusterState.ADDING_HOSTS : now;
            }
            case ADDING_HOSTS, ERROR -> now;
        };
    }

    /** Whether {@code now} is reported before {@code next} is entered; transient states before the start are not. */
    static boolean isReported(ClusterState now, ClusterState next) {
        return now.isStarted() || now == next;
    }

    /** {@code status.progress.totalPercentage}: 10 for the preparation, 70 for the hosts, 20 for the rest. */
    static int percent(ClusterState state, InstallInputs inputs) {
        return switch (state) {
            case INSUFFICIENT, PENDING_FOR_INPUT, READY, PREPARING -> 0;
            case INSTALLING, FINALIZING, ERROR -> {
                double average = inputs.hosts().stream()
                        .mapToInt(InstallInputs.HostFacts::percent)
                        .average()
                        .orElse(0);
                yield PREPARED + (int) (HOSTS * average / ALL);
            }
            case ADDING_HOSTS -> ALL;
        };
    }
}
