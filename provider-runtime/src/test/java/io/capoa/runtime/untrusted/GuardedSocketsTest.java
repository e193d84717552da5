package io.capoa.runtime.untrusted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a connection may bring that serves several times. */
@SuppressWarnings("NullAway.Init")
class GuardedSocketsTest {

    private static final int FREE = 256 << 10;
    private static final int SHARED = 100 << 10;

    private final Semaphore shared = new Semaphore(SHARED);
    private final GuardedSockets sockets = new GuardedSockets(512 << 10, shared);
    private ServerSocket server;
    private Socket connection;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::sendWithoutEnd);
        connection = sockets.createSocket(server.getInetAddress(), server.getLocalPort());
    }

    private void sendWithoutEnd() {
        try (Socket accepted = server.accept()) {
            OutputStream out = accepted.getOutputStream();
            while (true) {
                out.write(new byte[1 << 10]);
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        server.close();
    }

    private void read(int bytes) throws IOException {
        assertThat(connection.getInputStream().readNBytes(bytes)).hasSize(bytes);
    }

    @Test
    void whatIsNotRenewed_isRefusedBeyondItsShare() throws IOException {
        read(FREE + SHARED);
        assertThatThrownBy(() -> read(1)).isInstanceOf(RefusedAnswerException.class);
    }

    @Test
    void afterItsRenewal_aConnectionMayBringAsMuchAgain_andOwesNothing() throws IOException {
        for (int use = 0; use < 4; use++) {
            read(FREE + SHARED / 2);
            assertThat(shared.availablePermits()).isEqualTo(SHARED / 2);
            sockets.renew();
            assertThat(shared.availablePermits()).isEqualTo(SHARED);
        }
    }

    @Test
    void aConnectionThatIsClosed_givesBackOnce() throws IOException {
        read(FREE + SHARED / 2);
        connection.close();
        connection.close();
        sockets.renew();
        assertThat(shared.availablePermits()).isEqualTo(SHARED);
    }
}
