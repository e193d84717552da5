package io.capoa.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The page in a real browser; skipped where it is not installed. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class PageBrowserTest {

    @TempDir
    private Path profile;

    private Browser browser;

    @BeforeEach
    void start() {
        assumeTrue(Browser.isInstalled(), Browser.MISSING);
        browser = new Browser(profile);
        browser.size(1280, 900);
    }

    @AfterEach
    void quit() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void aPersonSeesWhatFailedAndWhy_onAPhoneAndInTheDarkToo(TestCluster cluster) {
        try (PageScene scene = new PageScene(cluster)) {
            browser.driver.get(scene.page.address());
            String line = "[data-cluster='" + scene.namespace + "/stuck']";
            await().atMost(Browser.SOON).until(() -> !browser.all(line).isEmpty());
            assertThat(browser.text(line + " .says")).isEqualTo("InstallFailed: " + PageScene.HOSTILE);
            assertThat(browser.text("[data-host='" + scene.namespace + "/broken-host'] .says"))
                    .isEqualTo("the disk image cannot be fetched");
            String light = background();

            browser.driver.findElement(By.cssSelector(line + " a")).click();
            await().atMost(Browser.SOON)
                    .until(() -> browser.text("#detail .waits").contains(PageScene.HOSTILE));
            assertThat(browser.all("#detail .bar[role=img]").getFirst().getDomAttribute("aria-label"))
                    .contains("stuck: release resolved");
            scene.event();
            await().atMost(Browser.SOON)
                    .until(() -> browser.text("#events").contains("SomethingHappened")
                            && browser.text("#detail").contains("SomethingHappened"));
            browser.driver.get(scene.page.address() + "#OpenshiftAssistedControlPlane/" + scene.namespace + "/stuck");
            await().atMost(Browser.SOON).until(() -> browser.text("#detail").contains("InstallSucceeding"));

            browser.colours("dark");
            assertThat(background()).isNotEqualTo(light);

            browser.size(390, 800);
            assertNotWiderThanAPhone();
            browser.run("location.hash = ''");
            assertNotWiderThanAPhone();
        }
    }

    @Test
    void noTextOfAnObject_becomesMarkup_norAnAddressThatOthersSend(TestCluster cluster) {
        try (PageScene scene = new PageScene(cluster)) {
            scene.hostileEvent();
            for (String address : List.of(
                    "#" + scene.namespace + "/stuck",
                    "#OpenshiftAssistedControlPlane/" + scene.namespace + "/stuck",
                    "#BareMetalHost/" + scene.namespace + "/hostile",
                    "#<img src=x onerror=\"document.title='broken'\">/x/y")) {
                browser.driver.get(scene.page.address() + address);
                await().atMost(Browser.SOON)
                        .until(() -> !browser.text("#events").isEmpty()
                                && !browser.text("#detail").contains("Loading"));
                browser.run("document.querySelectorAll('details').forEach(one => one.open = true)");
                assertThat(browser.all("img, script:not([src='page.js']), iframe, svg, [onerror]"))
                        .as(address)
                        .isEmpty();
                assertThat(browser.driver.getTitle()).as(address).isEqualTo("capoa");
            }
            browser.driver.get(scene.page.address() + "#BareMetalHost/" + scene.namespace + "/hostile");
            await().atMost(Browser.SOON)
                    .until(() -> browser.text("#detail .waits").contains(PageScene.HOSTILE));
            browser.run("document.querySelectorAll('details').forEach(one => one.open = true)");
            assertThat(browser.text("#detail pre"))
                    .contains(PageScene.HOSTILE.substring(0, 18))
                    .doesNotContain("managedFields", PageScene.TOKEN);
            assertThat(
                            browser.run(
                                    "try { document.body.innerHTML = '<b>x</b>'; return 'set' } catch (e) { return 'refused' }"))
                    .as("the security policy refuses it even if the page's code did it")
                    .isEqualTo("refused");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 300})
    void aFleet_showsTroubleFirst_onAShortPage_soon(int size, TestCluster cluster) {
        try (PageFleet fleet = new PageFleet(cluster, size)) {
            String address = fleet.page.address();
            browser.driver.get(address);
            await().atMost(Browser.SOON).until(() -> browser.all("#clusters li").size() > 10);
            browser.driver.get(address);
            await().atMost(Browser.SOON).until(() -> browser.all("#clusters li").size() > 10);
            assertThat(((Number) browser.run("return performance.getEntriesByName('drawn')[0].startTime")).longValue())
                    .as("ms until the page is drawn")
                    .isLessThan(1000);
            assertThat(browser.text("#clusters li")).startsWith(fleet.namespace + "/shop-017");
            assertThat(browser.text("#clusters li .line")).contains("failed");
            assertThat(browser.text("#clusters li .says")).contains("Writing image to disk", fleet.retry);
            assertThat(height()).as("pixels").isLessThan(3000);
            browser.picture("fleet-" + size);
            browser.colours("dark");
            browser.picture("fleet-" + size + "-dark");
            browser.colours("light");

            browser.driver.findElement(By.cssSelector("[data-group=PROGRESS]")).click();
            assertThat(browser.text("#clusters")).contains("shop-010").doesNotContain("shop-017", "shop-011");
            browser.driver.findElement(By.cssSelector("[data-group=ALL]")).click();
            browser.driver.findElement(By.id("search")).sendKeys("shop-029");
            assertThat(browser.text("#clusters")).contains("shop-029").doesNotContain("shop-017");
            browser.run(
                    "const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new Event('input'))");

            browser.size(390, 800);
            assertNotWiderThanAPhone();
            assertThat(
                            browser.run(
                                    "return [...document.querySelectorAll('.cut')].every(one => one.scrollWidth <= one.clientWidth)"))
                    .as("a phone has no pointer that would show the rest of a line")
                    .isEqualTo(true);
            assertThat(height()).as("pixels on a phone").isLessThan(6000);
            browser.picture("fleet-" + size + "-phone");
            browser.driver.get(address + "#" + fleet.namespace + "/shop-017");
            await().atMost(Browser.SOON)
                    .until(() -> browser.text("#detail .waits").contains("Replace the disk"));
            assertNotWiderThanAPhone();
            browser.picture("detail-" + size + "-phone");
        }
    }

    @Test
    void aClusterOpensToWhatAPersonHasToChange_andUpdatesDoNotMoveWhatIsRead(TestCluster cluster) {
        try (PageFleet fleet = new PageFleet(cluster, 30)) {
            browser.driver.get(fleet.page.address() + "#" + fleet.namespace + "/shop-017");
            await().atMost(Browser.SOON)
                    .until(() -> browser.text("#detail .waits").contains("Replace the disk"));
            assertThat(browser.all("#detail .waits > li"))
                    .extracting(one -> one.findElement(By.className("line")).getText())
                    .last()
                    .asString()
                    .contains("OpenshiftAssistedConfig shop-017-0");
            assertThat(browser.text("#detail .waits")).contains(fleet.retry);
            assertThat(browser.text("#detail .axis"))
                    .containsPattern("\\b(28|29|3\\d) min\\b")
                    .contains("now");
            assertThat(browser.all("#detail .failed")).isNotEmpty();
            assertStepsAreLegible();
            browser.picture("detail");
            browser.colours("dark");
            assertStepsAreLegible();
            browser.picture("detail-dark");
            browser.colours("light");

            browser.driver.findElement(By.cssSelector("#detail summary")).click();
            browser.run(
                    "document.getElementById('detail').scrollTop = 300; document.querySelector('main').scrollTop = 120;"
                            + " getSelection().selectAllChildren(document.querySelector('#detail .message'))");
            Object selected = browser.run("return String(getSelection())");
            fleet.breakHost(2);
            await().atMost(Browser.SOON).until(() -> browser.text("#clusters").contains("power supply lost"));
            assertThat(browser.run("return document.getElementById('detail').scrollTop"))
                    .isEqualTo(300L);
            assertThat(browser.run("return String(getSelection())")).isEqualTo(selected);
            assertThat(browser.run("return document.querySelector('#detail details').open"))
                    .isEqualTo(true);

            browser.driver.get(fleet.page.address() + "#" + fleet.namespace + "/shop-001");
            await().atMost(Browser.SOON)
                    .until(() -> browser.text("#detail").contains("Cluster " + fleet.namespace + "/shop-001")
                            && !browser.text("#detail .axis").isEmpty());
            assertThat(browser.text("#detail .operation"))
                    .as("a Node that came back after a month is no step of the installation")
                    .doesNotContain("30 days", "720");
            browser.picture("detail-ready");
        }
    }

    @Test
    void aClusterThatThePlanHoldsBack_showsItsFindingsAsATable(TestCluster cluster) {
        try (PageFleet fleet = new PageFleet(cluster, 1)) {
            fleet.blocked();
            browser.driver.get(fleet.page.address() + "#" + fleet.namespace + "/prod");
            await().atMost(Browser.SOON)
                    .until(() -> browser.all(".findings tbody tr").size() == 2);
            assertThat(browser.all(".findings tbody tr:first-child td"))
                    .extracting(WebElement::getText)
                    .containsExactly(
                            "blocking",
                            "host-disk",
                            "BareMetalHost host-2\nspec.rootDeviceHints",
                            "There is no disk with model=disk-0, only /dev/sda (480 GB) [model disk-2]",
                            "correct spec.rootDeviceHints of BareMetalHost " + fleet.namespace + "/host-2");
            assertThat(browser.text("#detail .waits"))
                    .as("what is not in the table")
                    .contains("no host is taken", "accept-plan-findings=host-disk")
                    .doesNotContain("remedy");
            assertThat((List<?>) browser.run("""
                            return [...document.querySelectorAll('.findings td:nth-child(-n+2)')].map(cell => {
                              const range = document.createRange();
                              range.selectNodeContents(cell);
                              return range.getClientRects().length;
                            });
                            """))
                    .as("lines of severity and finding, which are not broken")
                    .hasSize(4)
                    .allMatch(lines -> lines.equals(1L));
            await().atMost(Browser.SOON).until(() -> browser.text("#clusters").contains("/prod"));
            browser.size(1280, 640);
            browser.picture("plan");

            browser.size(390, 800);
            assertNotWiderThanAPhone();
            assertThat(browser.run(
                            "return getComputedStyle(document.querySelector('.findings td'), '::before').content"))
                    .as("a row is a block, whose lines name their column")
                    .isEqualTo("\"Severity: \"");
            browser.picture("plan-phone");
        }
    }

    @Test
    void aManagerThatIsAway_makesThePageSayThatItsDataAreOld(TestCluster cluster) {
        try (PageFleet fleet = new PageFleet(cluster, 1)) {
            browser.driver.get(fleet.page.address());
            await().atMost(Browser.SOON)
                    .until(() -> !browser.all("#clusters li").isEmpty());
            assertThat(browser.text("#stale")).doesNotContain(fleet.namespace);
            browser.picture("fleet-1");
            fleet.create("""
                    apiVersion: coordination.k8s.io/v1
                    kind: Lease
                    metadata: {name: 09dff44b.cluster.x-k8s.io}
                    spec: {holderIdentity: "", leaseDurationSeconds: 15, renewTime: "2026-01-01T10:00:00.000000Z"}
                    """, "");
            await().atMost(Browser.SOON)
                    .until(() -> browser.text("#stale")
                            .contains("No control-plane manager (Lease " + fleet.namespace
                                    + "/09dff44b.cluster.x-k8s.io) is running"));
            browser.picture("stale");
        }
    }

    private long height() {
        return (Long) browser.run("return document.querySelector('main').scrollHeight");
    }

    /** By the contrast of WCAG 2, level AA. */
    private void assertStepsAreLegible() {
        assertThat((List<?>) browser.run("""
                const light = colour => colour.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255)
                    .map(part => part <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
                    .reduce((sum, part, i) => sum + part * [.2126, .7152, .0722][i], 0);
                const contrast = style => {
                  const [low, high] = [light(style.color), light(style.backgroundColor)].sort((a, b) => a - b);
                  return (high + .05) / (low + .05);
                };
                return [...document.querySelectorAll('#detail .bar span:not(.gap), #detail .legend i')]
                    .filter(one => contrast(getComputedStyle(one)) < 4.5).map(one => one.className);
                """)).as("steps that cannot be read").isEmpty();
    }

    private String background() {
        return browser.driver.findElement(By.tagName("body")).getCssValue("background-color");
    }

    private void assertNotWiderThanAPhone() {
        assertThat(
                        (Long)
                                browser.run(
                                        "return Math.max(document.documentElement.scrollWidth,"
                                                + " document.querySelector('main').scrollWidth, document.getElementById('detail').scrollWidth)"))
                .as("nothing is wider than a phone")
                .isLessThanOrEqualTo(390);
    }
}
