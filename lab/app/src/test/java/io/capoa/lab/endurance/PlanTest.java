package io.capoa.lab.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.endurance.Fault.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static final int MANY = 500;

    @Test
    void aSeed_givesTheSameFaultsAndLives() {
        assertThat(faults(7)).isEqualTo(faults(7)).isNotEqualTo(faults(8));
        assertThat(new Plan(7).life(1)).isEqualTo(new Plan(7).life(1));
        assertThat(IntStream.range(0, 10).mapToObj(new Plan(7)::life).distinct().count())
                .isGreaterThan(1);
    }

    @Test
    void everyKindOfFaultComes_andMostAreKills_whichLastNoTime() {
        List<Fault> faults = faults(7);

        assertThat(faults).extracting(Fault::kind).contains(Kind.values());
        assertThat(faults)
                .filteredOn(fault -> fault.kind().isKill())
                .hasSizeGreaterThan(MANY / 2)
                .allSatisfy(fault -> assertThat(fault.length()).isZero());
        assertThat(faults)
                .filteredOn(fault -> !fault.kind().isKill())
                .allSatisfy(fault -> assertThat(fault.length()).isPositive());
    }

    @Test
    void everyLife_beginsAndEnds_hasEachOperation_andRollsBackFromAnUpgrade() {
        for (int cluster = 0; cluster < MANY; cluster++) {
            List<Operation> life = new Plan(7).life(cluster);
            assertThat(life)
                    .contains(Operation.values())
                    .startsWith(Operation.INSTALL)
                    .endsWith(Operation.DELETE)
                    .containsSubsequence(
                            Operation.UPGRADE,
                            Operation.UPGRADE,
                            Operation.UPGRADE,
                            Operation.ROLL_BACK,
                            Operation.UPGRADE);
        }
    }

    private static List<Fault> faults(long seed) {
        return new Plan(seed).faults().limit(MANY).toList();
    }
}
