package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressBlockTest {

    private static AddressBlock block(String text) {
        return AddressBlock.parse(text).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.111.0/24, 192.168.111.5,   true",
        "192.168.111.0/24, 192.168.112.5,   false",
        "192.168.0.0/16,   192.168.111.0/24, true",
        "192.168.111.0/24, 192.168.0.0/16,  false",
        "0.0.0.0/0,        10.0.0.1,        true",
        "0.0.0.0/0,        fd00::1,         false",
        "fd00::/64,        fd00::ffff,      true",
        "fd00::/64,        fd00:0:0:1::1,   false",
        "fd00::/64,        10.0.0.1,        false",
    })
    void aNetworkContains_addressesWithItsPrefix(String network, String other, boolean contained) {
        assertThat(block(network).contains(block(other))).isEqualTo(contained);
        assertThat(block(network).overlaps(block(other)))
                .isEqualTo(contained || block(other).contains(block(network)));
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.111.5/24, 192.168.111.0/24",
        "10.1.2.3/8,       10.0.0.0/8",
        "0.0.0.1/0,        0.0.0.0/0",
        "255.255.255.255,  255.255.255.255/32",
        "fd00::5/64,       fd00:0:0:0:0:0:0:0/64",
    })
    void aNetworkIsWritten_withoutHostBits(String text, String network) {
        assertThat(block(text)).hasToString(network);
        assertThat(block(text).hasHostBits()).isEqualTo(!text.startsWith("255"));
        assertThat(block(network).hasHostBits()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "192.168.111.0,   192.168.111.0/24, true",
        "192.168.111.255, 192.168.111.0/24, true",
        "192.168.111.254, 192.168.111.0/24, false",
        "192.168.111.0,   192.168.111.0/31, false",
        "fd00::,          fd00::/64,        false",
    })
    void firstAndLastAddressOfAnIpv4Network_areReserved(String address, String network, boolean reserved) {
        assertThat(block(address).isReservedIn(block(network))).isEqualTo(reserved);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "example.com",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/a",
                "300.1.1.1",
                "fd00::/129",
                "abc"
            })
    void otherText_isNoAddressBlock(String text) {
        assertThat(AddressBlock.parse(text)).isEmpty();
    }
}
