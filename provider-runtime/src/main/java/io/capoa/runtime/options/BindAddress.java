package io.capoa.runtime.options;

import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Address that a server listens on, in Go's notation.
 *
 * @param host name or address without brackets; empty for every interface
 * @param port 0 takes a free one; negative means the server is off
 */
public record BindAddress(String host, int port) {

    /** The server is off. */
    static final BindAddress OFF = new BindAddress("", -1);

    /**
     * {@code :8081}, {@code 127.0.0.1:8081}, {@code [::1]:8081}, or {@code 0} for off.
     *
     * @throws IllegalArgumentException with a sentence that can follow the flag's name
     */
    public static BindAddress parse(String text) {
        if (text.equals("0")) {
            return OFF;
        }
        int colon = text.lastIndexOf(':');
        if (colon >= 0) {
            var host = text.substring(0, colon);
            boolean bracketed = host.startsWith("[") && host.endsWith("]");
            int port = port(text.substring(colon + 1));
            if (port >= 0 && (bracketed || host.indexOf(':') < 0) && !host.contains(" ")) {
                return new BindAddress(bracketed ? host.substring(1, host.length() - 1) : host, port);
            }
        }
        throw new IllegalArgumentException(
                "takes \":PORT\", \"HOST:PORT\" with a port from 0 to 65535, or \"0\" for off, not \"" + text + "\"");
    }

    public boolean isOff() {
        return port < 0;
    }

    /** The address to bind; resolves a host name. */
    public InetSocketAddress socketAddress() {
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return isOff() ? "0" : (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }

    private static int port(String digits) {
        try {
            int port = Integer.parseInt(digits);
            return port > 65535 || !Character.isDigit(digits.charAt(0)) ? -1 : port;
        } catch (NumberFormatException ignored) {
            return -1;
        }
    }

    /** Reads the flag's value. */
    static final class Converter implements ITypeConverter<BindAddress> {
        @Override
        public BindAddress convert(String value) {
            try {
                return parse(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
