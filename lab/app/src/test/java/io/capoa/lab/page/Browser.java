package io.capoa.lab.page;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Debian's Chromium, or the Chrome of a runner, without a window; it and its driver are those on the path. */
final class Browser implements AutoCloseable {

    static final Duration SOON = Duration.ofSeconds(30);
    static final String MISSING = "SKIPPED: Chromium is not installed; apt-get install chromium chromium-driver";

    final ChromeDriver driver;

    Browser(Path profile) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser().orElseThrow());
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
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(program("chromedriver").orElseThrow())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    static boolean isInstalled() {
        return browser().isPresent() && program("chromedriver").isPresent();
    }

    private static Optional<File> browser() {
        return program("chromium").or(() -> program("google-chrome"));
    }

    private static Optional<File> program(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> new File(folder, name))
                .filter(File::canExecute)
                .findFirst();
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** Text of the first such element; empty if there is none. */
    String text(String css) {
        return (String) run("return document.querySelector(arguments[0])?.innerText ?? ''", css);
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    void colours(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** Keeps what is seen in {@code target/page}, to be looked at. */
    void picture(String name) {
        try {
            Path folder = Files.createDirectories(Path.of("target", "page"));
            Files.write(folder.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
