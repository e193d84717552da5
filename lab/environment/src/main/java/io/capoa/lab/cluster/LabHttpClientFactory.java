package io.capoa.lab.cluster;

import io.capoa.api.client.ClientCiphers;
import io.capoa.api.client.ClosableBodies;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import okhttp3.OkHttpClient;

/** The HTTP client of every fabric8 client in a process of the lab that names no other; fabric8 finds it as a service. */
public final class LabHttpClientFactory extends OkHttpClientFactory {

    @Override
    protected void additionalConfig(OkHttpClient.Builder builder) {
        builder.addInterceptor(new ClosableBodies());
        builder.connectionSpecs(ClientCiphers.CHEAP_FIRST);
    }

    /** Before fabric8's own. */
    @Override
    public int priority() {
        return 1;
    }
}
