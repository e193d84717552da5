package io.capoa.lab.endurance;

/** What an administrator does with a cluster, and which of its Machines it replaces. */
public enum Operation {
    INSTALL(3, 0, 2, 0),
    /** Every master is replaced. */
    ROLLOUT(3, 3, 0, 0),
    /** Three masters become five, and three again. */
    SCALE(2, 2, 0, 0),
    /** Three masters become five, one dies and is replaced, and they become three again. */
    REPLACE_DEAD_MASTER(3, 3, 0, 0),
    REPLACE_DEAD_WORKER(0, 0, 1, 1),
    UPGRADE(0, 0, 0, 0),
    ROLL_BACK(0, 0, 0, 0),
    /** Another version of the MachineDeployment. */
    UPDATE_IN_PLACE(0, 0, 0, 0),
    /** Every node restarts. */
    MACHINE_CONFIG(0, 0, 0, 0),
    /** All objects of the own kinds are stored again. */
    MIGRATE_STORAGE(0, 0, 0, 0),
    DELETE(0, 3, 0, 2);

    private final Change expected;

    Operation(int mastersCreated, int mastersRemoved, int workersCreated, int workersRemoved) {
        this.expected = new Change(mastersCreated, mastersRemoved, workersCreated, workersRemoved);
    }

    /** The Machines that it creates and removes; one more or less is one that should not be. */
    public Change expected() {
        return expected;
    }

    /** Numbers of Machines. */
    public record Change(int mastersCreated, int mastersRemoved, int workersCreated, int workersRemoved) {

        static final Change NONE = new Change(0, 0, 0, 0);

        Change plus(Change other) {
            return new Change(
                    mastersCreated + other.mastersCreated,
                    mastersRemoved + other.mastersRemoved,
                    workersCreated + other.workersCreated,
                    workersRemoved + other.workersRemoved);
        }

        /** What came after an earlier count. */
        public Change minus(Change earlier) {
            return new Change(
                    mastersCreated - earlier.mastersCreated,
                    mastersRemoved - earlier.mastersRemoved,
                    workersCreated - earlier.workersCreated,
                    workersRemoved - earlier.workersRemoved);
        }

        @Override
        public String toString() {
            return "masters +%d -%d, workers +%d -%d"
                    .formatted(mastersCreated, mastersRemoved, workersCreated, workersRemoved);
        }
    }
}
