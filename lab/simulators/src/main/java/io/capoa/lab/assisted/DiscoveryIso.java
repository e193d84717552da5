package io.capoa.lab.assisted;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A minimal discovery image: ISO 9660 signature and embedded ignition, not bootable. */
public final class DiscoveryIso {

    private static final byte[] MARK = "\001CD001\001".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AREA = "coreiso+ignition\n".getBytes(StandardCharsets.US_ASCII);

    private DiscoveryIso() {}

    /** @param version minor version of its operating system; no line break */
    static byte[] of(byte[] ignition, String version) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(MARK);
        out.writeBytes(AREA);
        out.writeBytes((version + "\n").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(ignition);
        return out.toByteArray();
    }

    /** The embedded ignition; throws {@link IOException} for anything but such an image. */
    public static byte[] ignition(byte[] image) throws IOException {
        byte[] content = content(image);
        return Arrays.copyOfRange(content, version(image).length() + 1, content.length);
    }

    /** Minor version of the image's operating system; throws {@link IOException} for anything but such an image. */
    public static String version(byte[] image) throws IOException {
        return new String(content(image), StandardCharsets.US_ASCII)
                .lines()
                .findFirst()
                .orElse("");
    }

    private static byte[] content(byte[] image) throws IOException {
        int start = MARK.length + AREA.length;
        if (image.length < start
                || !Arrays.equals(Arrays.copyOf(image, MARK.length), MARK)
                || !Arrays.equals(Arrays.copyOfRange(image, MARK.length, start), AREA)) {
            throw new IOException("the image is no discovery ISO");
        }
        return Arrays.copyOfRange(image, start, image.length);
    }
}
