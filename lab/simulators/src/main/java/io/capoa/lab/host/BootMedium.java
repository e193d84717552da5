package io.capoa.lab.host;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.assisted.DiscoveryIso;
import io.capoa.lab.workload.Json;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads the ignition of a provisioned host: from its user data with a disk image, from the ISO otherwise. */
final class BootMedium {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Of all images in the lab. */
    private static final String ARCHITECTURE = "x86_64";

    /** Addresses of BMCs that give a host the ISO as a drive; with the others, Ironic has the firmware boot it by network. */
    private static final Pattern VIRTUAL_MEDIA = Pattern.compile("^([a-z0-9-]*virtualmedia|redfish-uefihttp)([+:]|$)");

    private final KubernetesClient client;
    private final HttpClient http;
    private final IgnitionReferences references;

    BootMedium(KubernetesClient client, HttpClient http) {
        this.client = client;
        this.http = http;
        this.references = new IgnitionReferences(http);
    }

    /**
     * What a host boots.
     *
     * @param ignition with everything that it refers to
     * @param release minor version of the live ISO's operating system; empty for a disk image, whose version is not known
     */
    record Content(Map<String, Object> ignition, String release) {}

    Content read(BareMetalHost host) throws Refused, InterruptedException {
        String problem = problem(host);
        if (!problem.isEmpty()) {
            throw new Refused(problem);
        }
        String architecture = ReportedHardware.of(host).architecture();
        if (!architecture.equals(ARCHITECTURE)) {
            throw new Refused("its CPU is " + architecture + ", and its image is for " + ARCHITECTURE);
        }
        if (!isLiveIso(host)) {
            return new Content(references.resolve(parsed(fromUserData(host))), "");
        }
        String bmc = Fields.string(host, "spec", "bmc", "address");
        if (bmc != null && !VIRTUAL_MEDIA.matcher(bmc).find()) {
            throw new Refused("its BMC, " + bmc + ", has no virtual media, and its firmware boots no ISO by network");
        }
        byte[] iso = iso(host);
        try {
            return new Content(references.resolve(parsed(DiscoveryIso.ignition(iso))), DiscoveryIso.version(iso));
        } catch (IOException e) {
            throw new Refused("its live ISO cannot be read: " + e.getMessage());
        }
    }

    private static Map<String, Object> parsed(byte[] ignition) throws Refused {
        try {
            return Json.parse(ignition);
        } catch (IOException e) {
            throw new Refused("its ignition is not a JSON object");
        }
    }

    /**
     * Why the host boots nothing; empty if it does. A custom deploy method, such as {@code install_coreos}, needs no image
     * and reads the user data from the config drive, which baremetal-operator gives to no live ISO (its ironic provisioner,
     * {@code getConfigDrive}).
     */
    static String problem(BareMetalHost host) {
        boolean custom = Fields.string(host, "spec", "customDeploy", "method") != null;
        if (Fields.string(host, "spec", "image", "url") == null) {
            return custom ? "" : isLiveIso(host) ? "spec.image.url is empty" : "it has no image";
        }
        return custom && isLiveIso(host)
                ? "spec.customDeploy has its live ISO not booted, and a live ISO has no config drive with its ignition"
                : "";
    }

    static boolean isLiveIso(BareMetalHost host) {
        return "live-iso".equals(Fields.string(host, "spec", "image", "format"));
    }

    /** The config drive is written with the disk image; a live ISO and an instance of a cloud have none. */
    static boolean hasConfigDrive(BareMetalHost host) {
        return !isLiveIso(host) && !Instances.CLOUD_IMAGE.equals(Fields.string(host, "spec", "image", "format"));
    }

    private byte[] iso(BareMetalHost host) throws Refused, InterruptedException {
        String url = String.valueOf(Fields.string(host, "spec", "image", "url"));
        try {
            HttpResponse<byte[]> response = Attempts.send(
                    http,
                    HttpRequest.newBuilder(URI.create(url)).timeout(TIMEOUT).build());
            if (response.statusCode() != 200) {
                throw new Refused("the download of its live ISO failed with " + response.statusCode());
            }
            return response.body();
        } catch (IOException e) {
            throw new Refused("its live ISO cannot be read: " + e);
        } catch (IllegalArgumentException e) {
            throw new Refused("spec.image.url is not an HTTP URL");
        }
    }

    private byte[] fromUserData(BareMetalHost host) throws Refused {
        String value = secretValue(host, "userData", "userData");
        if (value.isEmpty()) {
            throw new Refused(
                    "spec.userData does not refer to a Secret with key userData or value: there is no ignition to boot");
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }

    /** The metadata that Metal3 rendered for the host, YAML; empty if there is none. */
    String metaData(BareMetalHost host) {
        return secretValue(host, "metaData", "metaData");
    }

    /** As baremetal-operator: the given key, else {@code value}. */
    private String secretValue(BareMetalHost host, String field, String key) {
        String name = Fields.string(host, "spec", field, "name");
        String namespace = Fields.string(host, "spec", field, "namespace");
        if (name == null) {
            return "";
        }
        Secret secret = client.secrets()
                .inNamespace(namespace == null ? host.getMetadata().getNamespace() : namespace)
                .withName(name)
                .get();
        Map<String, String> data = secret == null || secret.getData() == null ? Map.of() : secret.getData();
        String encoded = data.getOrDefault(key, data.getOrDefault("value", ""));
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }
}
