package io.capoa.controlplane.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.rules.CommonSettings;
import io.capoa.api.rules.Section;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.install.Platform;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules for the settings of the installed cluster, except networks. */
final class SettingsRules {

    private static final JsonMapper JSON = UntrustedContent.json();
    private static final Pattern CAPABILITY = Pattern.compile("[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*");
    private static final String MACHINE_API = "MachineAPI";

    /** Of OpenShift 4.20 and before. */
    private static final Set<String> CAPABILITIES = Set.of(
            "baremetal",
            "Build",
            "CloudControllerManager",
            "CloudCredential",
            "Console",
            "CSISnapshot",
            "DeploymentConfig",
            "ImageRegistry",
            "Ingress",
            "Insights",
            MACHINE_API,
            "marketplace",
            "NodeTuning",
            "openshift-samples",
            "OperatorLifecycleManager",
            "OperatorLifecycleManagerV1",
            "Storage");

    private SettingsRules() {}

    /** Checks {@code spec.config}, together with the host settings beside it. */
    static void check(Section section, ClusterConfig config, @Nullable OpenshiftAssistedConfigSpec hosts) {
        CommonSettings.proxy(section.in("proxy"), config.proxy());
        CommonSettings.sshKey(section.in("sshAuthorizedKey"), config.sshAuthorizedKey());
        CommonSettings.certificates(section.in("additionalTrustBundle"), config.additionalTrustBundle());
        CommonSettings.ntpServers(section, "ntpSources", config.ntpSources());
        List<String> ofHosts = hosts == null ? null : hosts.additionalNTPSources();
        if (given(config.ntpSources()) && given(ofHosts)) {
            section.in("ntpSources")
                    .warn("is given together with openshiftAssistedConfigSpec.additionalNTPSources, which"
                            + " assisted-service refuses for one cluster: leave one of the two out");
        }
        capabilities(section.in("capabilities"), config);
        encryption(section.in("diskEncryption"), config.diskEncryption());
    }

    private static void capabilities(Section section, ClusterConfig config) {
        List<String> names =
                config.capabilities() == null ? null : config.capabilities().additionalEnabledCapabilities();
        for (int i = 0; names != null && i < names.size(); i++) {
            Section entry = section.at("additionalEnabledCapabilities", i);
            String name = names.get(i);
            if (name == null || !CAPABILITY.matcher(name).matches()) {
                entry.refuse(
                        "is not the name of a capability: write NodeTuning or openshift-samples, for example, one name"
                                + " an entry");
            } else if (name.equalsIgnoreCase(MACHINE_API) && Platform.of(config) == Platform.BARE_METAL) {
                entry.warn(MACHINE_API + " is left out on platform BareMetal, where Cluster API has the machines: take"
                        + " it off the list");
            } else if (!CAPABILITIES.contains(name)) {
                entry.warn(name + " is not among the known capabilities ("
                        + String.join(
                                ", ",
                                CAPABILITIES.stream()
                                        .sorted(String.CASE_INSENSITIVE_ORDER)
                                        .toList())
                        + "): the installation fails if the release does not have it");
            }
        }
    }

    private static void encryption(Section section, ClusterConfig.@Nullable DiskEncryption encryption) {
        if (encryption == null) {
            return;
        }
        String servers = Section.given(encryption.tangServers());
        boolean tang = "tang".equals(encryption.mode());
        boolean on = encryption.enableOn() != null && !encryption.enableOn().equals("none");
        if (on && encryption.mode() == null) {
            section.in("mode").refuseTogether("is needed beside enableOn: write tpmv2 or tang");
        }
        if (tang && on && servers == null) {
            section.in("tangServers").refuseTogether("is needed for mode tang: " + exampleOfTang());
        }
        String mistake = servers == null ? null : mistakeOfTang(servers);
        if (mistake != null) {
            section.in("tangServers").refuse(mistake + ": " + exampleOfTang());
        }
        if (servers != null && !tang) {
            section.in("tangServers").warn("has no effect without mode tang");
        }
    }

    private static String exampleOfTang() {
        return "write [{\"url\":\"http://tang.example.com:7500\",\"thumbprint\":\"PLjNyRdGw03zlRoGjQYMahSZGu9\"}]";
    }

    private static @Nullable String mistakeOfTang(String text) {
        try {
            JsonNode servers = JSON.readTree(text);
            if (!servers.isArray() || servers.isEmpty()) {
                return "is not a JSON list of servers";
            }
            for (int i = 0; i < servers.size(); i++) {
                if (!isHttp(servers.get(i).path("url").asText(""))) {
                    return "has no URL of a server in entry " + i;
                }
                if (servers.get(i).path("thumbprint").asText("").isBlank()) {
                    return "has no thumbprint in entry " + i;
                }
            }
            return null;
        } catch (JsonProcessingException e) {
            return "is not a JSON list of servers";
        }
    }

    private static boolean isHttp(String url) {
        try {
            URI parsed = new URI(url);
            return parsed.getHost() != null
                    && parsed.getScheme() != null
                    && List.of("http", "https").contains(parsed.getScheme());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean given(@Nullable List<String> list) {
        return list != null && !list.isEmpty();
    }
}
