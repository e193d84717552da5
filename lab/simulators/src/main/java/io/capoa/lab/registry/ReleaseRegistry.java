package io.capoa.lab.registry;

import com.sun.net.httpserver.HttpServer;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.workload.ReleaseImages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A container registry with every release: it generates an image for any requested tag of a release repository. Serves
 * plain HTTP on loopback.
 */
public final class ReleaseRegistry implements ReleaseImages, AutoCloseable {

    /** Repository of OpenShift releases on {@code quay.io}. */
    public static final String OPENSHIFT = "openshift-release-dev/ocp-release";

    /** Repository of OKD releases on {@code quay.io}. */
    public static final String OKD = "okd/scos-release";

    private final HttpServer server;
    private final ExecutorService workers;
    private final Set<String> repositories = ConcurrentHashMap.newKeySet();
    private final Map<String, SyntheticImage> images = new ConcurrentHashMap<>();
    private final Faults faults = new Faults();
    private final RegistryRequests requests = new RegistryRequests();
    private final RegistryGuard access;
    private final Distribution distribution;

    private ReleaseRegistry(HttpServer server, Delays delays) {
        this.server = server;
        this.workers = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("registry-", 0).factory());
        this.access = new RegistryGuard(address());
        repositories.add(OPENSHIFT);
        repositories.add(OKD);
        this.distribution = new Distribution(this::image, access, faults, requests, delays);
        server.createContext("/", distribution);
        server.setExecutor(workers);
        server.start();
    }

    /** Starts on a free port. */
    public static ReleaseRegistry start(Delays delays) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            return new ReleaseRegistry(server, delays);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Host and port, the prefix of image references. */
    public String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** Serves every release also in this repository, such as {@code mirror/ocp}. */
    public ReleaseRegistry serve(String repository) {
        repositories.add(repository);
        return this;
    }

    /** Serves this image with this tag. */
    public ReleaseRegistry put(String repository, String tag, SyntheticImage image) {
        images.put(repository + ":" + tag, image);
        return this;
    }

    /** Simulated faults. */
    public Faults faults() {
        return faults;
    }

    /** Requests so far. */
    public RegistryRequests requests() {
        return requests;
    }

    /** Authentication. */
    public RegistryGuard access() {
        return access;
    }

    /** The digest of a release; from now on it is also served by it. */
    @Override
    public Optional<String> digest(String repository, String tag) {
        Optional<SyntheticImage> image = image(repository, tag);
        image.ifPresent(distribution::serve);
        return image.map(SyntheticImage::digest);
    }

    /** The tag of a served image; a client that pulls the image learns its version. */
    @Override
    public Optional<String> tag(String digest) {
        return images.entrySet().stream()
                .filter(image -> image.getValue().digest().equals(digest))
                .map(image -> image.getKey().substring(image.getKey().lastIndexOf(':') + 1))
                .findFirst();
    }

    /** The {@code registries.conf} that mirrors the published repositories here. */
    public String registriesConf() {
        StringBuilder conf = new StringBuilder();
        for (String published :
                new String[] {"quay.io/openshift-release-dev", "quay.io/okd", "registry.ci.openshift.org"}) {
            int slash = published.indexOf('/');
            conf.append("""
                [[registry]]
                prefix = "%s"
                location = "%s%s"
                insecure = true

                """.formatted(published, address(), slash < 0 ? "" : published.substring(slash)));
        }
        return conf.toString();
    }

    private Optional<SyntheticImage> image(String repository, String tag) {
        if (faults.isAbsent(tag)) {
            return Optional.empty();
        }
        String key = repository + ":" + tag;
        return repositories.contains(repository)
                ? Optional.of(images.computeIfAbsent(key, k -> SyntheticRelease.ofTag(tag)))
                : Optional.ofNullable(images.get(key));
    }

    @Override
    public void close() {
        server.stop(0);
        workers.shutdownNow();
    }
}
