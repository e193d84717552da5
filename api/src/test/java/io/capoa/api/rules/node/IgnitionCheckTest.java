package io.capoa.api.rules.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IgnitionCheckTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'storage':{'files':[{'path':'/etc/motd','mode':420,'overwrite':true,'contents':{'source':'data:,hello'}}]}",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:,100%25%20safe'}},"
                        + "{'path':'/b','contents':{'source':'data:application/json;charset=utf-8;base64,e30='}},"
                        + "{'path':'/c','contents':{'source':'data:x-a/b;n=%22,'}}]}",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:text/plain;base64,aGVsbG8='}}],"
                        + "'directories':[{'path':'/b','user':{'id':1}}],'links':[{'path':'/c','target':'/a','hard':false}]}",
                "'systemd':{'units':[{'name':'a@.service','enabled':true,'contents':'[Unit]',"
                        + "'dropins':[{'name':'10.conf','contents':''}]}]}",
                "'passwd':{'users':[{'name':'core','sshAuthorizedKeys':['ssh-ed25519 AAAA']}],'groups':[{'name':'g'}]}",
                "'kernelArguments':{'shouldExist':['quiet']},'storage':null",
                "'storage':{'filesystems':[{'device':'/dev/sdb','format':'xfs','path':'/var/data'}],"
                        + "'luks':[{'name':'l','device':'/dev/sdc','clevis':{'tpm2':true}}]}"
            })
    void whatIgnitionReads_hasNoFinding(String fields) {
        IgnitionCheck check = check(fields);

        assertThat(check.mistakes()).isEmpty();
        assertThat(check.doubts()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'storage':{'files':[{'path':'etc/motd'}]} | storage.files[0].path is \"etc/motd\", which is relative",
                "'storage':{'files':[{}]} | storage.files[0].path is empty",
                "'storage':{'files':{'path':'/a'}} | storage.files is not a list",
                "'storage':{'files':[{'path':'/a','mode':'0644'}]} | storage.files[0].mode is not a whole number",
                "'storage':{'files':[{'path':'/a','overwrite':'true'}]} | storage.files[0].overwrite is not true or false",
                "'storage':{'files':[{'path':'/a'}],'links':[{'path':'/a'}]} | storage.links[0].path is \"/a\", as that of",
                "'storage':{'files':[{'path':'/a','contents':{'source':'hello'}}]} | contents.source is no URL",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:text'}}]} | contents.source is no URL",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:,100%'}}]} | contents.source has a % that begins no escape",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:,hello world'}}]} | contents.source has a blank that is not escaped: write %20 for it, or write data:;base64, and the output",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:,{}'}}]} | contents.source has the character { that is not escaped: write %7B for it",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:,é'}}]} | contents.source has a character that is not escaped: write data:;base64,",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:;base64,aGk%3D'}}]} | contents.source has data that are not base64",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:base64,aGk='}}]} | contents.source has something else than a media type and ;base64 before its comma: write data:,TEXT",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:;BASE64,aGk='}}]} | contents.source has something else than a media type",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:;base64,a b='}}]} | contents.source has data that are not base64: write data:;base64,",
                "'storage':{'files':[{'path':'/a','contents':{'source':'data:;base64,aGk'}}]} | contents.source has base64 that lacks its = at the end",
                "'storage':{'files':[{'path':'/a','contents':'hello'}]} | storage.files[0].contents is not an object",
                "'systemd':{'units':[{'name':'a'}]} | systemd.units[0].name is \"a\", which is no name of a unit",
                "'systemd':{'units':[{'name':'a.path'},{'name':'a.path'}]} | systemd.units[1].name is \"a.path\", as that",
                "'passwd':{'users':[{'uid':1}]} | passwd.users[0] has no name",
                "'ignition':{'version':'3.1.0','config':{'merge':[{'source':'x'}]}} | ignition.config.merge[0].source is no"
            })
    void whatIgnitionRejects_isNamedWithItsField(String fields, String mistake) {
        assertThat(check(fields).mistakes()).singleElement().asString().contains(mistake);
    }

    @Test
    void anUnknownField_andAModeInDecimal_areDoubts() {
        IgnitionCheck check = check("'storage':{'file':[],'files':[{'path':'/a','mode':644}]}");

        assertThat(check.mistakes()).isEmpty();
        assertThat(check.doubts())
                .containsExactlyInAnyOrder(
                        "storage.file is not a field of Ignition 3 and has no effect: remove it, or correct its name",
                        "storage.files[0].mode is 644, which is decimal and means 1204: write 420 for mode 644");
    }

    @Test
    void aLongUrl_isChecked() {
        String parameters = ";a=b".repeat(60_000);
        String file = "'storage':{'files':[{'path':'/a','contents':{'source':'data:%s,%s'}}]}";

        assertThat(check(file.formatted(parameters, "a".repeat(60_000))).mistakes())
                .isEmpty();
        assertThat(check(file.formatted(parameters + ";", "")).mistakes()).hasSize(1);
    }

    @Test
    void contentsAreNotQuoted() {
        assertThat(check("'storage':{'files':[{'path':'/a','contents':{'source':'secret'}}]}")
                        .mistakes())
                .singleElement()
                .asString()
                .doesNotContain("secret");
    }

    private static IgnitionCheck check(String fields) {
        String version = fields.startsWith("'ignition'") ? "" : "'ignition':{'version':'3.1.0'},";
        return IgnitionCheck.of(IgnitionJson.parse(("{" + version + fields + "}").replace('\'', '"'), "The value"));
    }
}
