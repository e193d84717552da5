package io.capoa.runtime.http;

import java.net.InetAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The open connections of one server. When all places are taken, the address with the most connections gives one up:
 * among those that wait for their client, one that never had an answer, the oldest first. So no address can take the
 * places of another, and one that shares its address with a flood is served as long as it speaks at once.
 */
final class OpenConnections {

    /** A connection, for the choice. */
    interface Member {
        InetAddress address();

        /** Whether the server waits for the client, and not the client for the server. */
        boolean awaitsClient();

        /** Whether a request of it has been answered. */
        boolean served();

        /** When its present wait began, by {@link System#nanoTime}. */
        long since();

        /** When that wait ends, by {@link System#nanoTime}. */
        long deadline();

        void cut();
    }

    private final int places;
    private final Set<Member> members = new LinkedHashSet<>();

    OpenConnections(int places) {
        this.places = places;
    }

    /** Takes the connection in, for which another may be cut; false when all places are busy. */
    synchronized boolean admit(Member member) {
        while (members.size() >= places) {
            Optional<Member> surplus = surplus(members);
            if (surplus.isEmpty()) {
                return false;
            }
            remove(surplus.get());
            surplus.get().cut();
        }
        return members.add(member);
    }

    synchronized void remove(Member member) {
        members.remove(member);
    }

    /**
     * When the first wait for a client ends, by {@link System#nanoTime}, or {@code latest} if that is before; empty while
     * no connection is open.
     */
    synchronized OptionalLong nextDeadline(long latest) {
        return members.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(latest
                        + members.stream()
                                .filter(Member::awaitsClient)
                                .mapToLong(member -> Math.min(0, member.deadline() - latest))
                                .min()
                                .orElse(0));
    }

    /** Cuts those whose client has had its time. */
    synchronized void expire(long now) {
        for (Member member : List.copyOf(members)) {
            if (member.awaitsClient() && now - member.deadline() >= 0) {
                remove(member);
                member.cut();
            }
        }
    }

    synchronized void cutAll() {
        members.forEach(Member::cut);
        members.clear();
    }

    /** Which connection is given up for another; empty while the server works for all of them. */
    static Optional<Member> surplus(Collection<Member> members) {
        Map<InetAddress, Integer> perAddress = new HashMap<>();
        members.forEach(member -> perAddress.merge(member.address(), 1, Integer::sum));
        return members.stream()
                .filter(Member::awaitsClient)
                .min(Comparator.<Member>comparingInt(member -> -perAddress.getOrDefault(member.address(), 0))
                        .thenComparing(Member::served)
                        .thenComparing((one, other) -> Long.signum(one.since() - other.since())));
    }
}
