package io.capoa.runtime.untrusted;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.net.SocketFactory;

/**
 * Sockets that count the bytes they receive. They also see what a limit on bodies misses: header lines, the framing of
 * bodies, web socket messages.
 */
public final class GuardedSockets extends SocketFactory {

    /** What every connection may bring without asking: more than an ordinary answer has. */
    private static final int FREE = 256 << 10;

    private final long most;
    private final Semaphore shared;
    private final Set<Guarded> open = ConcurrentHashMap.newKeySet();

    /**
     * Sockets with limits.
     *
     * @param most bytes that a connection brings until {@link #renew()}
     * @param shared bytes that all connections together may bring beyond what is free to each, until they are closed or
     *     renewed
     */
    GuardedSockets(long most, Semaphore shared) {
        this.most = most;
        this.shared = shared;
    }

    /** Sockets that live long and bring much, and are guarded by the {@link BufferAllowance} of who reads. */
    static GuardedSockets ofLongLife() {
        return new GuardedSockets(Long.MAX_VALUE, new Semaphore(Integer.MAX_VALUE));
    }

    /** Lets every connection bring as much again. Call it while no query is under way. */
    public void renew() {
        open.forEach(Guarded::renew);
    }

    /**
     * Closes the connections. A client's pool, which may be shared, opens another when it finds one closed.
     *
     * @throws IllegalStateException if the sockets live long, and are not known
     */
    public void closeAll() {
        if (most == Long.MAX_VALUE) {
            throw new IllegalStateException("sockets of long life are closed one by one");
        }
        for (Guarded socket : open) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is of no use any more; the others are closed, too.
            }
        }
    }

    @Override
    public Socket createSocket() {
        Guarded socket = new Guarded();
        if (most < Long.MAX_VALUE) {
            open.add(socket);
        }
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connected(new InetSocketAddress(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) throws IOException {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) throws IOException {
        return createSocket(host, port);
    }

    private Socket connected(InetSocketAddress address) throws IOException {
        Socket socket = createSocket();
        socket.connect(address);
        return socket;
    }

    private final class Guarded extends Socket {

        private long brought;
        private int taken;
        private boolean closed;

        @Override
        public InputStream getInputStream() throws IOException {
            return new CountedInputStream(super.getInputStream()) {
                @Override
                protected void count(long bytes) throws IOException {
                    Guarded.this.count((int) bytes);
                }

                @Override
                public int available() {
                    // Nothing is promised: a TLS socket skips what is available while it closes, and that may never
                    // end.
                    return 0;
                }
            };
        }

        private synchronized void count(int bytes) throws IOException {
            BufferAllowance.take(bytes);
            brought += bytes;
            if (brought > most) {
                throw RefusedAnswerException.tooLarge("what it sends", most);
            }
            if (most == Long.MAX_VALUE || closed) {
                return;
            }
            int beyond = (int) Math.max(0, brought - FREE) - taken;
            if (beyond > 0) {
                if (!shared.tryAcquire(beyond)) {
                    throw new RefusedAnswerException("it sends a large answer while others do so: it is asked again");
                }
                taken += beyond;
            }
        }

        private synchronized void renew() {
            brought = 0;
            shared.release(taken);
            taken = 0;
        }

        @Override
        public synchronized void close() throws IOException {
            closed = true;
            open.remove(this);
            renew();
            super.close();
        }
    }
}
