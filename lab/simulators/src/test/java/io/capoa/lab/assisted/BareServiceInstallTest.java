package io.capoa.lab.assisted;

/**
 * The same installation without authentication and without stages in install instructions, as recorded from a real
 * service.
 */
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
