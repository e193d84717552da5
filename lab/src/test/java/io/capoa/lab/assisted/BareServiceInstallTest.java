package io.capoa.lab.assisted;

/** The same beside a service as it was recorded: without authentication, and with orders that name no stages. */
class BareServiceInstallTest extends SingleNodeInstallTest {

    @Override
    AssistedService as(AssistedService usual) {
        return usual.withoutAuthentication().withBareOrders();
    }

    @Override
    int withoutToken() {
        return 200;
    }
}
