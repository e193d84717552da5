package io.capoa.runtime.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Matches host names without DNS lookups. */
public final class HostNames {

    private static final Pattern LITERAL = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+|.*:.*:.*");

    private HostNames() {}

    /** Whether a host, with or without port, is this machine. */
    public static boolean isLoopback(String host) {
        String bare = bare(host);
        return bare.equals("localhost")
                || bare.endsWith(".localhost")
                || bare.equals("::1")
                || (LITERAL.matcher(bare).matches() && bare.startsWith("127."));
    }

    /** Whether a list in the form of {@code NO_PROXY} names the host: {@code *}, a domain, an address, a network. */
    static boolean excluded(String host, int port, String noProxy) {
        String bare = bare(host).toLowerCase(Locale.ROOT);
        for (String item : noProxy.split("[,\\s]+", -1)) {
            if (!item.isEmpty() && matches(bare, port, item.toLowerCase(Locale.ROOT))) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String host, int port, String item) {
        if (item.equals("*")) {
            return true;
        }
        if (item.contains("/")) {
            return inNetwork(host, item);
        }
        String name = item;
        int colon = item.lastIndexOf(':');
        if (colon >= 0 && colon == item.indexOf(':')) {
            if (!item.substring(colon + 1).equals(Integer.toString(port))) {
                return false;
            }
            name = item.substring(0, colon);
        }
        name = name.startsWith("*.") ? name.substring(1) : name;
        return name.startsWith(".") ? host.endsWith(name) : host.equals(name) || host.endsWith("." + name);
    }

    private static boolean inNetwork(String host, String network) {
        String[] parts = network.split("/", 2);
        if (!LITERAL.matcher(host).matches() || !LITERAL.matcher(parts[0]).matches()) {
            return false;
        }
        try {
            byte[] address = InetAddress.getByName(host).getAddress();
            byte[] base = InetAddress.getByName(parts[0]).getAddress();
            int bits = Integer.parseInt(parts[1]);
            if (address.length != base.length || bits < 0 || bits > 8 * base.length) {
                return false;
            }
            for (int i = 0; i < bits; i++) {
                int mask = 0x80 >> (i % 8);
                if ((address[i / 8] & mask) != (base[i / 8] & mask)) {
                    return false;
                }
            }
            return true;
        } catch (UnknownHostException | NumberFormatException e) {
            return false;
        }
    }

    private static String bare(String host) {
        if (host.startsWith("[")) {
            return host.substring(1, Math.max(host.indexOf(']'), 1));
        }
        int colon = host.indexOf(':');
        return colon >= 0 && colon == host.lastIndexOf(':') ? host.substring(0, colon) : host;
    }
}
