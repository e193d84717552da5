package io.capoa.lab.progress;

import java.time.Duration;
import java.util.List;

/** Shows progress to a person. */
public interface View extends AutoCloseable {

    /** Shows the state of things; called on changes and a few times a second. */
    void show(List<ClusterRow> rows, Duration elapsed);

    /** Prints lines that stay. */
    void say(String text);

    @Override
    void close();
}
