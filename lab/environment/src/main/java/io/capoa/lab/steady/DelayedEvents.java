package io.capoa.lab.steady;

import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Java agent that delays a quarter of all watch events, by up to 0.7 seconds, chosen by seed, kind and object.
 *
 * <p>It changes the one method through which all watches of fabric8's client pass, those of informers of simulators and
 * of managers too, so that neither has code for it. The events of one watch keep their order, as an API server
 * guarantees it, and the end of a watch comes behind them; those of different watches overtake each other. The argument of
 * the agent is the seed.
 */
public final class DelayedEvents implements ClassFileTransformer {

    private static final String WATCH = "io/fabric8/kubernetes/client/dsl/internal/AbstractWatchManager";
    private static final String RECEIVE = "onMessage";
    private static final String END = "watchEnded";
    private static final String EVENTS_OF_WATCH = "serialExecutor";
    private static final ClassDesc MANAGER = ClassDesc.ofInternalName(WATCH);
    private static final ClassDesc SERIAL_EXECUTOR =
            ClassDesc.of("io.fabric8.kubernetes.client.utils.internal.SerialExecutor");
    private static final String QUEUE = "execute";
    private static final int MESSAGE = 1;
    private static final int DONE = 3;
    private static final ClassDesc THIS = ClassDesc.of(DelayedEvents.class.getName());
    private static final ClassDesc RUNNABLE = ClassDesc.of(Runnable.class.getName());
    private static final ClassDesc EXECUTOR = ClassDesc.of(Executor.class.getName());

    private static final Pattern KIND = Pattern.compile("\"kind\":\"([^\"]*)\"");
    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");

    private static final int ONE_IN = 4;
    private static final Duration LONGEST = Duration.ofMillis(700);

    private static final Map<String, Integer> EVENTS = new ConcurrentHashMap<>();
    private static final ThreadLocal<Boolean> ENDING = ThreadLocal.withInitial(() -> false);
    private static volatile long seed;

    private DelayedEvents() {}

    /** Called by the JVM; the argument is the seed. */
    public static void premain(String argument, Instrumentation instrumentation) {
        seed = Long.parseLong(argument);
        System.err.println("Steady: delays watch events at random, seed " + seed);
        instrumentation.addTransformer(new DelayedEvents());
    }

    /** The JVM options by which a child process gets the agent of this process, if it has one. */
    public static List<String> jvmOptions() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> option.startsWith("-javaagent:") && option.contains("steady"))
                .toList();
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            String name,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] bytes) {
        if (!WATCH.equals(name)) {
            return null;
        }
        try {
            return delayed(bytes);
        } catch (RuntimeException | LinkageError e) {
            // The JVM would go on with the method as it was, and without a word.
            e.printStackTrace();
            throw e;
        }
    }

    private static byte[] delayed(byte[] bytes) {
        ClassFile format = ClassFile.of();
        return format.transformClass(format.parse(bytes), (manager, element) -> {
            if (element instanceof MethodModel method && receives(method)) {
                manager.transformMethod(method, MethodTransform.transformingCode(new DelayedQueue()));
            } else if (element instanceof MethodModel method
                    && method.methodName().equalsString(END)) {
                manager.transformMethod(method, MethodTransform.transformingCode(new DelayedEnd()));
            } else {
                manager.with(element);
            }
        });
    }

    private static boolean receives(MethodModel method) {
        return method.methodName().equalsString(RECEIVE)
                && method.methodTypeSymbol().parameterCount() == DONE;
    }

    /** Puts {@link #delay} in the place of the queue into which a watch puts its events. */
    private static final class DelayedQueue implements CodeTransform {

        @Override
        public void atStart(CodeBuilder code) {
            code.aload(DONE)
                    .invokestatic(THIS, "once", MethodTypeDesc.of(RUNNABLE, RUNNABLE))
                    .astore(DONE);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            if (element instanceof InvokeInstruction call && call.name().equalsString(QUEUE)) {
                code.aload(MESSAGE)
                        .aload(DONE)
                        .invokestatic(
                                THIS,
                                "delay",
                                MethodTypeDesc.of(
                                        ConstantDescs.CD_void, EXECUTOR, RUNNABLE, ConstantDescs.CD_String, RUNNABLE));
            } else {
                code.with(element);
            }
        }
    }

    /** Lets the method that ends a watch return at once, to be called again behind the events. */
    private static final class DelayedEnd implements CodeTransform {

        @Override
        public void atStart(CodeBuilder code) {
            code.aload(0)
                    .getfield(MANAGER, EVENTS_OF_WATCH, SERIAL_EXECUTOR)
                    .aload(0)
                    .aload(1)
                    .aload(2)
                    .invokestatic(
                            THIS,
                            "endsLater",
                            MethodTypeDesc.of(
                                    ConstantDescs.CD_boolean,
                                    EXECUTOR,
                                    ConstantDescs.CD_Object,
                                    ConstantDescs.CD_Throwable,
                                    ConstantDescs.CD_Object))
                    .ifThen(CodeBuilder::return_);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }

    /**
     * Whether a watch ends later than now, behind its events that are late.
     *
     * @param watch runs one task after the other
     * @param manager of the watch
     * @param failure why it ends
     * @param request that ends
     */
    public static boolean endsLater(Executor watch, Object manager, @Nullable Throwable failure, Object request) {
        if (ENDING.get()) {
            return false;
        }
        try {
            watch.execute(() -> end(manager, failure, request));
            return true;
        } catch (RejectedExecutionException e) {
            // Its events are delivered no more.
            return false;
        }
    }

    private static void end(Object manager, @Nullable Throwable failure, Object request) {
        Class<?> type = manager.getClass();
        while (!type.getName().equals(WATCH.replace('/', '.'))) {
            type = type.getSuperclass();
        }
        ENDING.set(true);
        try {
            Method method = type.getDeclaredMethod(END, Throwable.class, request.getClass());
            method.setAccessible(true);
            method.invoke(manager, failure, request);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            ENDING.remove();
        }
    }

    /** A task that runs the first time only. */
    public static Runnable once(Runnable task) {
        AtomicBoolean ran = new AtomicBoolean();
        return () -> {
            if (ran.compareAndSet(false, true)) {
                task.run();
            }
        };
    }

    /**
     * Delivers an event when its time has come, and all events before it.
     *
     * @param watch runs one task after the other
     * @param delivery passes the event to its watcher
     * @param message the event
     * @param next requests the next event
     */
    public static void delay(Executor watch, Runnable delivery, String message, Runnable next) {
        long due = System.nanoTime() + delayOf(message).toNanos();
        watch.execute(() -> {
            try {
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            delivery.run();
        });
        next.run();
    }

    private static Duration delayOf(String message) {
        String object = first(KIND, message) + "/" + first(NAME, message);
        int event = EVENTS.merge(object, 1, Integer::sum);
        SplittableRandom random = new SplittableRandom(seed * 31 + (object + "#" + event).hashCode());
        return random.nextInt(ONE_IN) == 0 ? Duration.ofMillis(random.nextLong(LONGEST.toMillis())) : Duration.ZERO;
    }

    private static String first(Pattern pattern, String message) {
        Matcher matcher = pattern.matcher(message);
        return matcher.find() ? matcher.group(1) : "";
    }
}
