package io.capoa.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The page in a real browser, Debian's Chromium; skipped where it is not installed. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class PageBrowserTest {

    private static final File BROWSER = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");
    private static final Duration SOON = Duration.ofSeconds(30);

    @Test
    void aPersonSeesWhatFailedAndWhy_onAPhoneAndInTheDarkToo(TestCluster cluster, @TempDir Path profile) {
        assumeTrue(
                BROWSER.exists() && DRIVER.exists(),
                "SKIPPED: Chromium is not installed; apt-get install chromium chromium-driver");
        ChromeDriver browser = start(profile);
        try (PageScene scene = new PageScene(cluster)) {
            size(browser, 1280, 900);
            browser.get(scene.page.address());
            String label = "article[aria-label='cluster " + scene.namespace + "/stuck']";
            await().atMost(SOON)
                    .until(() -> !browser.findElements(By.cssSelector(label)).isEmpty());

            WebElement article = browser.findElement(By.cssSelector(label));
            assertThat(article.findElement(By.className("failure")).getText())
                    .isEqualTo("InstallFailed: " + PageScene.HOSTILE);
            assertThat(browser.findElements(By.tagName("img"))).isEmpty();
            assertThat(browser.getTitle()).isEqualTo("capoa");
            assertThat(article.findElement(By.cssSelector(".bar[role=img]")).getDomAttribute("aria-label"))
                    .contains("stuck: release resolved");
            assertThat(browser.findElement(By.cssSelector(".host .problem")).getText())
                    .isEqualTo("the disk image cannot be fetched");
            String light = background(browser);

            article.findElement(By.xpath(".//summary[contains(., 'objects')]")).click();
            scene.event();
            await().atMost(SOON)
                    .until(() -> browser.findElement(By.id("events")).getText().contains("SomethingHappened"));
            assertThat(browser.findElement(By.cssSelector(label + " .tree")).isDisplayed())
                    .as("what was opened stays open when the page is drawn again")
                    .isTrue();

            browser.executeCdpCommand(
                    "Emulation.setEmulatedMedia",
                    Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
            assertThat(background(browser)).isNotEqualTo(light);

            size(browser, 390, 800);
            assertThat((Long) browser.executeScript("return document.documentElement.scrollWidth"))
                    .as("nothing is wider than a phone")
                    .isLessThanOrEqualTo(390);
        } finally {
            browser.quit();
        }
    }

    private static String background(ChromeDriver browser) {
        return browser.findElement(By.tagName("body")).getCssValue("background-color");
    }

    private static void size(ChromeDriver browser, int width, int height) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    private static ChromeDriver start(Path profile) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER);
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
        return new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER)
                        .usingAnyFreePort()
                        .build(),
                options);
    }
}
