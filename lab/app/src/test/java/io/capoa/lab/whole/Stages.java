package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

/** Stages of a cluster's life that follow each other: none is lived after one that failed. */
final class Stages {

    /** What happens in a stage. */
    @FunctionalInterface
    interface Stage {

        void live() throws Exception;
    }

    private int lived;

    /** Lives a stage; the first is number one. */
    void live(int number, Stage stage) throws Exception {
        assertThat(lived).as("stages that went well before").isEqualTo(number - 1);
        stage.live();
        lived = number;
    }
}
