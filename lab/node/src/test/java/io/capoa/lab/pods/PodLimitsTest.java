package io.capoa.lab.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodLimitsTest {

    private static final List<String> COMMAND = List.of("java", "-a=$(MEMORY_LIMIT)", "-b=$(CPU_LIMIT)", "-c=$(OTHER)");

    @Test
    void limitsAreBytes_andProcessorsRoundedUp() {
        Container container = limited(Map.of("memory", "320Mi", "cpu", "1500m"));

        assertThat(PodLimits.in(COMMAND, container)).containsExactly("java", "-a=335544320", "-b=2", "-c=$(OTHER)");
        assertThat(PodLimits.memory(container)).hasValue(335_544_320);
    }

    @Test
    void whatHasALimitThatIsNotThere_isLeftOut() {
        assertThat(PodLimits.in(COMMAND, limited(Map.of("cpu", "1")))).containsExactly("java", "-b=1", "-c=$(OTHER)");
        assertThat(PodLimits.in(COMMAND, new Container())).containsExactly("java", "-c=$(OTHER)");
        assertThat(PodLimits.memory(new Container())).isEmpty();
    }

    private static Container limited(Map<String, String> limits) {
        ContainerBuilder container = new ContainerBuilder().withNewResources().endResources();
        limits.forEach((resource, amount) -> container
                .editResources()
                .addToLimits(resource, new Quantity(amount))
                .endResources());
        return container.build();
    }
}
