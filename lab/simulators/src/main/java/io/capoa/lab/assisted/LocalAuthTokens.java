package io.capoa.lab.assisted;

import io.capoa.lab.workload.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.Map;

/** Issues and verifies tokens of local authentication: ES256 JWTs with one claim that names the resource. */
final class LocalAuthTokens {

    static final String INFRA_ENV = "infra_env_id";
    static final String CLUSTER = "cluster_id";

    private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final String HEADER = encode(Json.bytes(Map.of("alg", "ES256", "typ", "JWT")));

    private final KeyPair keys;

    LocalAuthTokens() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            keys = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no P-256", e);
        }
    }

    String issue(String claim, String value) {
        String signed = HEADER + "." + encode(Json.bytes(Map.of(claim, value)));
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The claim of a token issued here; empty for an invalid token. */
    String claim(String token, String claim) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return "";
        }
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(keys.getPublic());
            signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
            if (!signature.verify(Base64.getUrlDecoder().decode(parts[2]))) {
                return "";
            }
            Object value = Json.parse(Base64.getUrlDecoder().decode(parts[1])).get(claim);
            return value instanceof String text ? text : "";
        } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
            return "";
        }
    }

    private static String encode(byte[] bytes) {
        return ENCODER.encodeToString(bytes);
    }
}
