package io.capoa.bootstrap.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.rules.Findings;
import io.capoa.api.rules.Findings.Finding;
import io.capoa.lab.certificates.SelfSigned;
import io.capoa.runtime.webhook.Validator.Change;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of configs and their templates beyond their schema. */
class ConfigAdmissionTest {

    private static final YAMLMapper YAML = new YAMLMapper();
    private static final String DISCOVERY = "openshiftassistedconfig.cluster.x-k8s.io/discovery-ignition-override";
    private static final String INSTALLED = "openshiftassistedconfig.cluster.x-k8s.io/ignition-override";

    private static Findings config(String spec) throws IOException {
        Findings findings = new Findings();
        var config = new OpenshiftAssistedConfig();
        config.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMeta());
        config.setSpec(YAML.readValue(spec, io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.class));
        new ConfigValidator().validate(new Change<>(config, null), findings);
        return findings;
    }

    private static Findings annotated(String name, String value) {
        Findings findings = new Findings();
        var config = new OpenshiftAssistedConfig();
        config.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .addToAnnotations(name, value)
                .build());
        new ConfigValidator().validate(new Change<>(config, null), findings);
        return findings;
    }

    private static Findings template(String template) throws IOException {
        Findings findings = new Findings();
        ObjectNode object = YAML.createObjectNode();
        object.putObject("spec").set("template", YAML.readValue(template, JsonNode.class));
        new ConfigTemplateValidator()
                .validate(
                        new Change<>(YAML.treeToValue(object, OpenshiftAssistedConfigTemplate.class), null), findings);
        return findings;
    }

    private static String joined(List<Finding> findings) {
        return String.join("; ", findings.stream().map(Finding::toString).toList());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}
            {sshAuthorizedKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPeXxGfYiivq4D6y83VQVs6i/sl4yVMTp0DbnMAp3K2R me@example.com, cpuArchitecture: arm64}
            {sshAuthorizedKey: '', additionalTrustBundle: '', nodeRegistration: {name: '', providerID: ''}}
            {proxy: {httpProxy: 'http://user:pass@proxy.example.com:3128', noProxy: '.example.com,10.0.0.0/8'}}
            {proxy: {noProxy: 'localhost,.example.com,192.0.2.1,fd00::/48,::1,svc.cluster.local'}}
            {proxy: {noProxy: '*'}}
            {additionalNTPSources: [ntp.example.com, 192.0.2.1, 'fd00::1', '::1']}
            {nodeRegistration: {name: $METADATA_NAME, kubeletExtraLabels: ['metal3.io/uuid="${METADATA_UUID}"', rack=r1, empty=]}}
            {nodeRegistration: {providerID: 'metal3://$METADATA_UUID'}, hostnamePolicy: MachineName}
            {nodeRegistration: {name: $METADATA_NAME}, hostnamePolicy: None}
            {nodeRegistration: {metadataSource: AWS, name: METADATA_LOCAL_HOSTNAME, providerID: $METADATA_PROVIDER_ID}}
            {nodeRegistration: {metadataSource: OpenStack, kubeletExtraLabels: ['a=$METADATA_PROJECT_ID']}}
            {nodeRegistration: {metadataSource: None, kubeletExtraLabels: [rack=r1]}}
            {nodeLabels: {node-role.kubernetes.io/infra: '', example.com/rack: r1}}
            {kernelArguments: [{operation: append, value: a=1}, {operation: delete, value: b}]}
            {installationDisk: {deviceName: /dev/disk/by-path/pci-0000:01:00.0-scsi-0:2:0:0, hctl: '1:0:10:0', minSizeGigabytes: 1}}
            {installationDisk: {deviceName: /dev/cciss/c0d0, wwn: '0x5000C500A0B1C2D3'}}
            {installationDisk: {wwn: 6001405d27e5d898829468b90ce4ef8c, hctl: ''}}
            {installationDisk: {wwn: eui.0025385b71b00e7f}}
            {installationDisk: {rotational: false}}
            {installerArgs: [--append-karg, x=1, --delete-karg, quiet, --copy-network, -n]}
            {installerArgs: [--append-karg, 'A9@!#$%*()_+-=//.,";'':{}[]<']}
            {kernelArguments: [{operation: append, value: 'console=ttyS0,115200n8'}, {operation: append, value: 'ip=[fd00::1]:eth0:none'}]}
            """)
    void aSpecThatCanBe_isTakenWithoutAWord(String spec) throws IOException {
        Findings findings = config(spec);

        assertThat(findings.refused()).isEmpty();
        assertThat(findings.doubtful()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {sshAuthorizedKey: '-----BEGIN OPENSSH PRIVATE KEY-----'}     | spec.sshAuthorizedKey holds a private key: write the public one
            {sshAuthorizedKey: a}                                          | spec.sshAuthorizedKey is no public SSH key that assisted-service takes: write ssh-ed25519 AAAA...
            {sshAuthorizedKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMultinodeSampleKeyReplaceItWithYoursAAAAAA sample"} | spec.sshAuthorizedKey is no public SSH key that assisted-service takes
            {sshAuthorizedKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPeXxGfYiivq4D6y83VQVs6i/sl4yVMTp0DbnMAp3K2R\\n# mine"} | spec.sshAuthorizedKey has in line 2 no public SSH key
            {additionalTrustBundle: PEM}                                   | spec.additionalTrustBundle holds no certificates that can be read: write blocks of PEM
            {proxy: {httpProxy: 'proxy.example.com:3128'}}                 | spec.proxy.httpProxy is no URL of a proxy: write http://proxy.example.com:3128
            {proxy: {noProxy: 'a, b'}}                                     | spec.proxy.noProxy has blanks in it
            {proxy: {noProxy: 'a,*.example.com'}}                          | spec.proxy.noProxy has "*.example.com", which is neither a domain nor an IP address
            {proxy: {noProxy: 'a.example.com:8443'}}                       | spec.proxy.noProxy has "a.example.com:8443"
            {proxy: {noProxy: 'https://a'}}                                | spec.proxy.noProxy has "https://a"
            {proxy: {noProxy: 'a:1,b,c:2'}}                                | without schemes, ports and asterisks; spec.proxy.noProxy has "c:2", which is neither
            {proxy: {noProxy: 'a,,b'}}                                     | spec.proxy.noProxy has ""
            {additionalNTPSources: [ok.example.com, 'ntp://a']}            | spec.additionalNTPSources[1] is neither a name nor an IP address: write ntp.example.com
            {nodeRegistration: {kubeletExtraLabels: [a=b, '-x=y']}}        | spec.nodeRegistration.kubeletExtraLabels[1] is no label: write key=value
            {nodeRegistration: {kubeletExtraLabels: ['a=b c']}}            | spec.nodeRegistration.kubeletExtraLabels[0] is no label
            {nodeRegistration: {kubeletExtraLabels: [a=-b]}}               | spec.nodeRegistration.kubeletExtraLabels[0] is no label
            {nodeRegistration: {providerID: 'a b'}}                        | spec.nodeRegistration.providerID cannot be used
            {nodeRegistration: {name: $A}, hostnamePolicy: HostName}       | spec.hostnamePolicy HostName and nodeRegistration.name both name the host: leave one of the two out
            {nodeRegistration: {metadataSource: AWS, name: $METADATA_NAME}} | spec.nodeRegistration.name needs $METADATA_NAME, which nodeRegistration.metadataSource AWS does not provide: write one of $METADATA_INSTANCE_ID
            {nodeRegistration: {metadataSource: None, providerID: '$METADATA_X'}} | spec.nodeRegistration.providerID needs $METADATA_X, and nodeRegistration.metadataSource None provides no variables
            {nodeRegistration: {metadataSource: Oracle}}                   | spec.nodeRegistration.metadataSource cannot be used
            {installerArgs: [--append-karg, a, --delete-karg=quiet]}       | spec.installerArgs[2] --delete-karg=quiet is no flag that assisted-service accepts: write one of --append-karg
            {installerArgs: [--append-karg, -x]}                           | spec.installerArgs[1] -x is no flag
            {installerArgs: [--append-karg, 'a=b c']}                      | spec.installerArgs[1] has a blank, which assisted-service does not pass on to the installer: write it without, or set it with a MachineConfig
            {installerArgs: [--append-karg, 'a=b?c']}                      | spec.installerArgs[1] has the character ?, which assisted-service does not pass on
            {installerArgs: [--append-karg, 'a&b']}                        | spec.installerArgs[1] has the character &,
            {installerArgs: [--append-karg, 'a>b']}                        | spec.installerArgs[1] has the character >,
            {installerArgs: [--append-karg, '~']}                          | spec.installerArgs[1] has the character ~,
            {installerArgs: [--append-karg, '']}                           | spec.installerArgs[1] is empty, which assisted-service refuses
            {kernelArguments: [{operation: append, value: 'a="b c"'}]}     | spec.kernelArguments[0].value has a blank, which assisted-service does not pass on
            {kernelArguments: [{operation: append, value: -x}]}            | spec.kernelArguments[0].value begins with a hyphen, which assisted-service takes for a flag
            {installationDisk: {deviceName: /dev/disk/by-uuid/1}}          | spec.installationDisk.deviceName /dev/disk/by-uuid/1 is no path that the inventory of a host has: write /dev/sda or a link in /dev/disk/by-path
            {installationDisk: {deviceName: /dev/disk/by-id/}}             | spec.installationDisk.deviceName /dev/disk/by-id/ is no path
            {installationDisk: {deviceName: '/dev/sda, /dev/sdb'}}         | spec.installationDisk.deviceName /dev/sda, /dev/sdb is no path
            {installationDisk: {hctl: '0:0:0'}}                            | spec.installationDisk.hctl 0:0:0 is no SCSI address: write host:channel:target:lun, such as 0:0:0:0
            {installationDisk: {hctl: 'a:0:0:0'}}                          | spec.installationDisk.hctl a:0:0:0 is no SCSI address
            {installationDisk: {wwn: '50:00:c5:00:a0:b1:c2:d3'}}           | spec.installationDisk.wwn 50:00:c5:00:a0:b1:c2:d3 is no world wide name: write hexadecimal digits without separators
            {installationDisk: {wwn: 0x}}                                  | spec.installationDisk.wwn 0x is no world wide name
            {installationDisk: {minSizeGigabytes: 0}}                      | spec.installationDisk names no property of a disk, so that none is chosen: write deviceName
            {installerArgs: [--firstboot-args, x]}                         | spec.installerArgs[0] --firstboot-args is no flag
            {nodeLabels: {a/b/c: d}}                                       | spec.nodeLabels a/b/c with its value is no label
            {nodeLabels: {rack: r 1}}                                      | spec.nodeLabels rack with its value is no label
            """)
    void whatCannotBe_isRefusedWithTheFieldAndTheRemedy(String spec, String message) throws IOException {
        assertThat(joined(config(spec).refused())).contains(message);
    }

    @ParameterizedTest
    @CsvSource({"PT0S, has expired on", "P20D, expires on"})
    void anAuthorityThatExpires_isTakenWithAWarning(Duration valid, String message) throws Exception {
        String pem =
                SelfSigned.create("authority", List.of("a.example.com"), valid).pem();

        Findings findings = config(YAML.writeValueAsString(Map.of("additionalTrustBundle", pem)));

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful()))
                .startsWith("spec.additionalTrustBundle has the certificate of CN=authority, which " + message);
        String lasting = SelfSigned.create("authority").pem();
        assertThat(config(YAML.writeValueAsString(Map.of("additionalTrustBundle", lasting)))
                        .doubtful())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {cpuArchitecture: sparc}                                       | spec.cpuArchitecture sparc is no architecture that assisted-service is known to have images for
            {kernelArguments: [{operation: append, value: a}, {operation: delete, value: a}]} | spec.kernelArguments both adds and deletes a
            {installerArgs: [--append-karg, a=1, --save-partlabel, data, --network-dir, /x]} | spec.installerArgs --save-partlabel, --network-dir has an effect only where the host boots a live ISO
            {installationDisk: {minSizeGigabytes: 0, model: a}}            | spec.installationDisk.minSizeGigabytes 0 matches every disk: write 1 or more
            {installationDisk: {wwn: '0x5000'}}                            | spec.installationDisk.wwn 0x5000 has 4 digits, and those of disks have 16, or 32
            {nodeRegistration: {kubeletExtraLabels: [node-role.kubernetes.io/infra=]}} | spec.nodeRegistration.kubeletExtraLabels[0] is a role, which a kubelet may not give its own node: move it to nodeLabels
            """)
    void whatIsHardlyMeant_isTakenWithAWarning(String spec, String message) throws IOException {
        Findings findings = config(spec);

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful())).contains(message);
    }

    @Test
    void aVariableThatTheSourceDoesNotProvide_isAWarningInATemplate() throws IOException {
        Findings findings = template("{spec: {nodeRegistration: {metadataSource: GCP, name: $METADATA_NAME}}}");

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful()))
                .contains("spec.template.spec.nodeRegistration.name needs $METADATA_NAME");
    }

    @Test
    void aKeyThatIsNone_isRefusedInATemplateToo() throws IOException {
        assertThat(joined(template("{spec: {sshAuthorizedKey: a}}").refused()))
                .contains("spec.template.spec.sshAuthorizedKey is no public SSH key");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"ignition": {"version": "3.1.0"}}                     | ``
            {"ignition": {"version": "3.2.0"}}                     | ``
            {"ignition": {"version": "3.0.0"}}                     | has Ignition version 3.0.0: write it in version 3.1.0 or 3.2.0
            {"ignition": {"version": "3.5.0"}}                     | has Ignition version 3.5.0: write it in version 3.1.0 or 3.2.0
            {                                                      | is not JSON
            "text"                                                 | is not a JSON object
            {"storage": {}}                                        | has no ignition.version
            {"ignition": {"version": "2.2.0"}}                     | has Ignition version 2.2.0, supported are 3.0.0 to
            """)
    void ignitionForTheDiscoveryBoot_isChecked(String value, String message) {
        Findings findings = annotated(DISCOVERY, value);

        assertThat(findings.doubtful()).isEmpty();
        if (message.isEmpty()) {
            assertThat(findings.refused()).isEmpty();
        } else {
            assertThat(joined(findings.refused()))
                    .startsWith("metadata.annotations[" + DISCOVERY + "] cannot be used")
                    .contains(message)
                    .contains(": write ignition as JSON");
        }
    }

    @Test
    void ignitionForTheInstalledHost_hasTheVersionThatAssistedServiceTakes() {
        for (String version : List.of("3.0.0", "3.1.0", "3.2.0")) {
            assertThat(annotated(INSTALLED, "{\"ignition\": {\"version\": \"" + version + "\"}}")
                            .refused())
                    .isEmpty();
        }
        assertThat(joined(annotated(INSTALLED, "{\"ignition\": {\"version\": \"3.3.0\"}}")
                        .refused()))
                .contains("has Ignition version 3.3.0: write it in version 3.1.0 or 3.2.0");
        assertThat(annotated(INSTALLED, " ").refused()).isEmpty();
    }

    @Test
    void fieldsThatAssistedServiceDropsWithTheVersion_areDoubts() {
        assertThat(joined(annotated(INSTALLED, """
                        {"ignition": {"version": "3.2.0"}, "kernelArguments": {"shouldExist": ["quiet"]}}""").doubtful()))
                .contains("has kernelArguments, which Ignition knows from 3.3.0 on and assisted-service drops");
        String disks = "{\"ignition\": {\"version\": \"%s\"}, \"storage\": {\"luks\": []}}";
        assertThat(joined(annotated(DISCOVERY, disks.formatted("3.1.0")).doubtful()))
                .contains("nothing would be encrypted: write ignition.version 3.2.0");
        assertThat(annotated(DISCOVERY, disks.formatted("3.2.0")).doubtful()).isEmpty();
    }

    @Test
    void aTemplate_isCheckedAtItsOwnPaths() throws IOException {
        Findings findings = template("""
                {metadata: {annotations: {%s: x}}, spec: {nodeLabels: {rack: r 1}}}
                """.formatted(INSTALLED));

        assertThat(joined(findings.refused()))
                .contains("spec.template.metadata.annotations[" + INSTALLED + "] cannot be used")
                .contains("spec.template.spec.nodeLabels rack with its value is no label");
    }

    @Test
    void theRulesOfHosts_holdInTemplates() throws IOException {
        Findings findings = template("""
                {metadata: {annotations: {%s: '{"ignition": {"version": "3.1.0"}, "storage": {"files": [
                   {"path": "/a", "contents": {"source": "data:;base64,a b="}}]}}'}},
                 spec: {installerArgs: [a b], kernelArguments: [{operation: append, value: -x}],
                   installationDisk: {hctl: '0:0'}}}
                """.formatted(DISCOVERY));

        assertThat(joined(findings.refused()))
                .contains("storage.files[0].contents.source has data that are not base64")
                .contains("spec.template.spec.installerArgs[0] has a blank")
                .contains("spec.template.spec.kernelArguments[0].value begins with a hyphen")
                .contains("spec.template.spec.installationDisk.hctl 0:0 is no SCSI address");
    }

    @Test
    void disksThatAPatchMayName_areTakenInATemplateWithAWarning() throws IOException {
        Findings findings = template("{spec: {installationDisk: {minSizeGigabytes: 0}}}");

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful()))
                .contains("spec.template.spec.installationDisk.minSizeGigabytes 0 matches every disk")
                .contains("spec.template.spec.installationDisk names no property of a disk");
    }

    @Test
    void aTemplate_whoseOtherHalfAPatchMayGive_isTakenWithAWarning() throws IOException {
        Findings findings = template("{spec: {nodeRegistration: {name: $A}, hostnamePolicy: HostName}}");

        assertThat(findings.refused()).isEmpty();
        assertThat(joined(findings.doubtful())).contains("spec.template.spec.hostnamePolicy HostName and");
        assertThat(template("{}").refused()).isEmpty();
    }
}
