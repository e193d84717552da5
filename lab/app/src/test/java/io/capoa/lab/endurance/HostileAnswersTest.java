package io.capoa.lab.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.workload.Tampering.Reply;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostileAnswersTest {

    private static final Reply HONEST =
            new Reply(200, "application/json", "{\"kind\":\"NodeList\",\"items\":[{\"metadata\":{}}]}", true);

    @Test
    void aSeed_changesTheSameAnswer_inTheSameWay_andNoOther() {
        assertThat(answers(1, true)).isEqualTo(answers(1, true)).isNotEqualTo(answers(2, true));
        for (int seed = 0; seed < 200; seed++) {
            assertThat(answers(seed, false).stream().filter(reply -> !reply.equals(HONEST)))
                    .hasSize(1);
        }
    }

    @Test
    void anUnreadableAnswer_isAnError_notWhole_tooLong_orNotThatJson() {
        List<Reply> changed = IntStream.range(0, 200)
                .boxed()
                .flatMap(seed -> answers(seed, false).stream())
                .filter(reply -> !reply.equals(HONEST))
                .toList();

        assertThat(changed)
                .anyMatch(reply -> reply.status() >= 400)
                .anyMatch(reply -> !reply.isWhole())
                .anyMatch(reply -> reply.body().length() > 1 << 20)
                .anyMatch(reply -> reply.status() == 200 && reply.body().equals("null"));
    }

    @Test
    void whatWouldChangeTheCluster_isNotDone() {
        HostileAnswers answers = new HostileAnswers();
        answers.begin(null, 0, false);

        assertThat(answers.takes("DELETE /api/v1/nodes/n-0", new byte[0])).isFalse();
        assertThat(answers.writes()).containsExactly("DELETE /api/v1/nodes/n-0 ");
    }

    private static List<Reply> answers(int seed, boolean mutated) {
        HostileAnswers answers = new HostileAnswers();
        answers.begin(new Mutations(seed, List.of(Mutations.tree("{\"a\":1}"))), 3, mutated);
        return IntStream.range(0, 3)
                .mapToObj(request -> answers.reply("GET /" + request, HONEST))
                .toList();
    }
}
