package io.capoa.lab.progress;

import java.time.Duration;
import java.util.List;

/** Shows progress to the user. */
public interface View extends AutoCloseable {

    /** Shows the current state; called on changes and several times a second. */
    void show(List<ClusterRow> rows, Duration elapsed);

    /** Prints permanent lines. */
    void say(String text);

    @Override
    void close();
}
