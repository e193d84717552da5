package io.capoa.runtime.http;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/** The layer between TCP and HTTP: plain or TLS. */
@FunctionalInterface
public interface SocketLayer {

    /** Nothing. */
    SocketLayer PLAIN = socket -> socket;

    /** The socket to read and write requests on. */
    Socket over(Socket socket) throws IOException;

    /** Whether the other side has shown a certificate in its handshake, which has been verified then. */
    static boolean isVerified(Socket layered) {
        try {
            return layered instanceof SSLSocket tls && tls.getSession().getPeerCertificates().length > 0;
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }

    /** TLS; a connection that has not sent a byte costs no buffers yet. */
    static SocketLayer tls(SSLContext context, SSLParameters parameters) {
        return socket -> {
            int first = socket.getInputStream().read();
            if (first < 0) {
                throw new EOFException("nothing was sent");
            }
            SSLSocket layered = (SSLSocket) context.getSocketFactory()
                    .createSocket(socket, new ByteArrayInputStream(new byte[] {(byte) first}), true);
            layered.setUseClientMode(false);
            layered.setSSLParameters(parameters);
            return layered;
        };
    }
}
