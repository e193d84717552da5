package io.capoa.lab.command;

import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.progress.View;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A lab that holds its state folder, and stops when it is closed or when a signal ends the process. */
final class HeldLab implements AutoCloseable {

    private final Settings settings;
    private final View view;
    private volatile @Nullable StateLock lock;
    private volatile @Nullable RunningLab lab;
    private volatile boolean over;

    /** Nothing is held and nothing runs before {@link #start}. */
    HeldLab(Settings settings, View view) {
        this.settings = settings;
        this.view = view;
    }

    /**
     * Takes the state folder and starts the lab; returns when it is ready.
     *
     * @param died called when a process has ended unexpectedly
     * @throws StateConflict if another lab has the state folder
     */
    RunningLab start(Consumer<ChildProcess.Exit> died) {
        lock = StateLock.take(settings.state());
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
        RunningLab started = RunningLab.start(settings, view, died);
        lab = started;
        return started;
    }

    /** Whether it is over: nothing is shown below the words of the stop. */
    boolean isOver() {
        return over;
    }

    /** Stops the lab for a signal; says nothing after a run that has ended by itself. */
    private void stop() {
        if (over) {
            return;
        }
        over = true;
        view.say("Stopping the API server, the providers and the simulated peers …");
        close();
        view.say((lab == null ? "Stopped during the start" : "Stopped; nothing is left running")
                + ". Logs and the audit log are in " + settings.state() + ".");
    }

    @Override
    public void close() {
        over = true;
        RunningLab running = lab;
        if (running != null) {
            running.close();
        }
        StateLock held = lock;
        if (held != null) {
            held.close();
        }
    }
}
