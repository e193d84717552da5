package io.capoa.controlplane.install;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * An IP network, or one address in it.
 *
 * @param address as written, host bits included
 * @param prefix length of the network prefix in bits
 * @param bits of the address family: 32 or 128
 */
public record AddressBlock(BigInteger address, int prefix, int bits) {

    /** Empty for text that is neither {@code address/prefix} nor an address. */
    public static Optional<AddressBlock> parse(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        // Host names have other characters, so no name is resolved.
        if (!address.matches("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            return Optional.empty();
        }
        try {
            byte[] bytes = InetAddress.getByName(address).getAddress();
            int bits = bytes.length * 8;
            int prefix = slash < 0 ? bits : Integer.parseInt(text.substring(slash + 1));
            return prefix < 0 || prefix > bits
                    ? Optional.empty()
                    : Optional.of(new AddressBlock(new BigInteger(1, bytes), prefix, bits));
        } catch (UnknownHostException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    public boolean sameFamily(AddressBlock other) {
        return bits == other.bits;
    }

    /** {@code IPv4} or {@code IPv6}. */
    public String family() {
        return bits == 32 ? "IPv4" : "IPv6";
    }

    public boolean contains(AddressBlock other) {
        return sameFamily(other)
                && other.prefix >= prefix
                && other.network(prefix).equals(network(prefix));
    }

    public boolean overlaps(AddressBlock other) {
        return contains(other) || other.contains(this);
    }

    /** Whether host bits are set. */
    public boolean hasHostBits() {
        return !network(prefix).equals(address);
    }

    /** Whether it is the network or broadcast address of a network with this prefix. */
    public boolean isReservedIn(AddressBlock network) {
        if (bits != 32 || network.prefix > 30) {
            return false;
        }
        BigInteger hosts = BigInteger.ONE.shiftLeft(bits - network.prefix).subtract(BigInteger.ONE);
        BigInteger host = address.and(hosts);
        return host.signum() == 0 || host.equals(hosts);
    }

    /** CIDR notation of the network. */
    @Override
    public String toString() {
        byte[] bytes = new byte[bits / 8];
        byte[] number = network(prefix).toByteArray();
        int length = Math.min(number.length, bytes.length);
        System.arraycopy(number, number.length - length, bytes, bytes.length - length, length);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress() + "/" + prefix;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 and 16 bytes are addresses", e);
        }
    }

    private BigInteger network(int length) {
        return address.shiftRight(bits - length).shiftLeft(bits - length);
    }
}
