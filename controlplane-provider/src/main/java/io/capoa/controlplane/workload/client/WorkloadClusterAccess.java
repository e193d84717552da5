package io.capoa.controlplane.workload.client;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.threads.VirtualThreads;
import io.capoa.runtime.untrusted.AnswerLimit;
import io.capoa.runtime.untrusted.GuardedSockets;
import io.capoa.runtime.untrusted.RefusedAnswerException;
import io.capoa.runtime.untrusted.UntrustedServers;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;

/**
 * Makes the client of a workload cluster. The cluster's administrator controls its API server, so every response is bounded:
 * {@link UntrustedServers}.
 */
public final class WorkloadClusterAccess {

    private static final int PATIENCE_MILLIS = 10_000;

    /** By which the audit log of a cluster shows who asks; the manager's own, without its version. */
    private static final String USER_AGENT = "capoa-controlplane";

    /** The longest answer that is asked for is a list of pods of one namespace, with some hundred KiB. */
    private static final AnswerLimit ANSWER = new AnswerLimit(1 << 20);

    private static final long CONNECTION = 4L << 20;

    /**
     * Idle connections of all shared clients, with one thread that closes them. They last until the next query, which comes within
     * 72 seconds: the handshake costs more than the query. An API server closes them after 90. Of more clusters than this,
     * each query needs a handshake.
     */
    private static final ConnectionPool CONNECTIONS = new ConnectionPool(150, 80, TimeUnit.SECONDS);

    /** For commands in pods; fabric8's own executor would keep threads for a minute, in every client. */
    private static final Executor TASKS = VirtualThreads.perTask("workload-task-");

    private static final KubernetesSerialization JSON = new JsonAlone(UntrustedContent.jsonBuilder()
            // As an API server reads labels and annotations.
            .withConfigOverride(
                    Map.class, maps -> maps.setSetterInfo(JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.SKIP)))
            .build());

    /** Longer than a query of a cluster that is well, with its handshake; an API server that hangs delays each by it. */
    private static final Duration TURN = Duration.ofSeconds(3);

    private static final WorkloadClients CLIENTS = new WorkloadClients(WorkloadClusterAccess::create, TURN);

    private WorkloadClusterAccess() {}

    /**
     * A client that asks once and gives up after ten seconds; to be closed.
     *
     * @param kubeconfig base64, as a Secret holds it
     * @throws IllegalArgumentException if it names no server or wants what is not allowed; the message has no content
     */
    public static WorkloadClients.Lease open(String kubeconfig) {
        return CLIENTS.lease(kubeconfig);
    }

    /** Closes the client for a kubeconfig that is no longer used, after the queries under way. */
    public static void retire(String kubeconfig) {
        CLIENTS.retire(kubeconfig);
    }

    /**
     * A client of its own, which the caller closes, for a caller that has to answer sooner. Its connections are its own, too:
     * fabric8 closes all idle ones of a client's pool with the client.
     *
     * @param patienceMillis after which a request is given up
     */
    public static KubernetesClient open(String kubeconfig, int patienceMillis) {
        return create(kubeconfig, patienceMillis, new ConnectionPool()).client();
    }

    private static WorkloadClients.Opened create(String kubeconfig) {
        return create(kubeconfig, PATIENCE_MILLIS, CONNECTIONS);
    }

    private static WorkloadClients.Opened create(String kubeconfig, int patienceMillis, ConnectionPool connections) {
        WorkloadKubeconfig file = WorkloadKubeconfig.parse(kubeconfig);
        GuardedSockets sockets = UntrustedServers.sockets(CONNECTION);
        WorkloadTls tls = WorkloadTls.of(file);
        KubernetesClient client = new KubernetesClientBuilder()
                .withConfig(config(file))
                .withHttpClientFactory(new Http(tls, sockets, connections, patienceMillis))
                .withKubernetesSerialization(JSON)
                .withTaskExecutor(TASKS)
                .build();
        return new WorkloadClients.Opened(
                client,
                sockets::renew,
                tls::certificates,
                // Closing the client would close all idle connections of the shared pool.
                sockets::closeAll);
    }

    /** Why a query got no answer at all, for people. */
    static String failure(RuntimeException e) {
        return RefusedAnswerException.behind(e)
                .map(refused -> "its answer is not used, because " + refused.getMessage())
                .orElse("no connection");
    }

    private static Config config(WorkloadKubeconfig file) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl(file.server())
                .withOauthToken(file.token())
                .withNamespace(null)
                .withUserAgent(USER_AGENT)
                .withRequestTimeout(PATIENCE_MILLIS)
                .withConnectionTimeout(PATIENCE_MILLIS)
                .withRequestRetryBackoffLimit(0)
                .build();
    }

    /**
     * Reads what has the form of an API server's answers. fabric8 would take YAML, too, and a few aliases in that unfold to
     * more than fits into memory.
     */
    private static final class JsonAlone extends KubernetesSerialization {

        private final ObjectMapper mapper;

        JsonAlone(ObjectMapper mapper) {
            super(mapper, false);
            this.mapper = mapper;
        }

        @Override
        public <T> T unmarshal(InputStream json, TypeReference<T> type) {
            try {
                T answer = mapper.readValue(json, type);
                if (!isComplete(answer)) {
                    throw new RefusedAnswerException("it has not the form of an API server's answer");
                }
                return answer;
            } catch (JacksonException e) {
                throw KubernetesClientException.launderThrowable(RefusedAnswerException.behind(e)
                        .orElseGet(() -> new RefusedAnswerException("it is not JSON that can be read")));
            } catch (IOException e) {
                throw KubernetesClientException.launderThrowable(e);
            }
        }

        /** Whether each object in it has a name: nothing can be concluded from one that an API server would not send. */
        private static boolean isComplete(@Nullable Object answer) {
            return switch (answer) {
                case null -> false;
                case GenericKubernetesResourceList list ->
                    String.valueOf(list.getKind()).endsWith("List") && hasCompleteItems(list);
                case KubernetesResourceList<?> list -> hasCompleteItems(list);
                case HasMetadata object ->
                    object.getMetadata() != null && object.getMetadata().getName() != null;
                default -> true;
            };
        }

        private static boolean hasCompleteItems(KubernetesResourceList<?> list) {
            return list.getMetadata() != null
                    && list.getItems() != null
                    && list.getItems().stream().allMatch(JsonAlone::isComplete);
        }
    }

    /** okhttp within limits, with the kubeconfig's TLS instead of fabric8's. */
    private record Http(OkHttpClientFactory okhttp) implements HttpClient.Factory {

        Http(WorkloadTls tls, GuardedSockets sockets, ConnectionPool connections, int patienceMillis) {
            this(new Bounded(tls, sockets, connections, patienceMillis));
        }

        @Override
        public HttpClient.Builder newBuilder() {
            return okhttp.newBuilder();
        }

        @Override
        public HttpClient.Builder newBuilder(Config config) {
            HttpClient.Builder builder = newBuilder();
            builder.tag(config.getRequestConfig());
            HttpClientUtils.createApplicableInterceptors(config, this).forEach(builder::addOrReplaceInterceptor);
            return builder;
        }
    }

    private static final class Bounded extends OkHttpClientFactory {

        private final WorkloadTls tls;
        private final GuardedSockets sockets;
        private final ConnectionPool connections;
        private final int patienceMillis;

        Bounded(WorkloadTls tls, GuardedSockets sockets, ConnectionPool connections, int patienceMillis) {
            this.tls = tls;
            this.sockets = sockets;
            this.connections = connections;
            this.patienceMillis = patienceMillis;
        }

        @Override
        protected void additionalConfig(OkHttpClient.Builder builder) {
            UntrustedServers.guardBriefly(builder, ANSWER, sockets)
                    .sslSocketFactory(tls.sockets(), tls.trust())
                    .connectionPool(connections)
                    .connectTimeout(Duration.ofMillis(PATIENCE_MILLIS))
                    // The call as a whole is limited.
                    .readTimeout(Duration.ZERO)
                    .writeTimeout(Duration.ZERO)
                    .callTimeout(Duration.ofMillis(patienceMillis));
        }

        /** Threads of okhttp would outlive each query by a minute, in every client. */
        @Override
        protected Dispatcher initDispatcher() {
            return new Dispatcher(VirtualThreads.perTask("workload-call-"));
        }
    }
}
