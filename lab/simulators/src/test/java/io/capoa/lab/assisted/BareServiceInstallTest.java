package io.capoa.lab.assisted;

import org.junit.jupiter.api.Tag;

/**
 * The same installation without authentication and without stages in install instructions, as recorded from a real
 * service.
 */
@Tag("full")
class BareServiceInstallTest extends SingleNodeInstallTest {

    @Override
    AssistedServiceSimulator as(AssistedServiceSimulator usual) {
        return usual.withoutAuthentication().withBareOrders();
    }

    @Override
    int withoutToken() {
        return 200;
    }
}
