package io.capoa.runtime.access;

import io.capoa.runtime.http.AddressRate;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.UserInfo;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server whose a bearer token is (TokenReview) and whether that user may use a path (SubjectAccessReview),
 * as controller-runtime does for metrics. Answers are kept for a while, by the token's hash, so that a scraper costs two
 * requests a minute. An address whose tokens are refused can soon ask about few more. A token that was good is asked
 * about before the others, from whatever address, so that no client that guesses tokens keeps a scraper out.
 */
public final class ReviewedAccess {

    private static final Logger LOG = LoggerFactory.getLogger(ReviewedAccess.class);

    private static final String SCHEME = "Bearer ";
    private static final Duration KEEP_ALLOWED = Duration.ofMinutes(1);
    private static final Duration KEEP_REFUSED = Duration.ofSeconds(10);
    private static final int MOST_KEPT = 128;
    private static final int AT_ONCE = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** Refusals that an address is forgiven at once, and the time after which it is forgiven another. */
    private static final int REFUSALS = 10;

    private static final Duration PENANCE = Duration.ofSeconds(10);

    /** What the API server says of a request. */
    public enum Review {
        ALLOWED,
        /** There is no token, or the API server knows no user for it. */
        UNAUTHENTICATED,
        /** Its user lacks the right. */
        FORBIDDEN,
        /** The address has sent too many tokens that were refused. */
        TOO_MANY,
        /** The API server cannot be asked now. */
        UNKNOWN
    }

    private record Kept(Review review, Instant until) {}

    private final Supplier<@Nullable KubernetesClient> client;
    private final Clock clock;
    private final Semaphore asking = new Semaphore(AT_ONCE);
    private final Semaphore askingAgain = new Semaphore(AT_ONCE);
    private final AddressRate refusals;

    /** Apart, so that refusals push no good token out. */
    private final Map<String, Kept> allowed = bounded();

    private final Map<String, Kept> refused = bounded();

    /** @param client gives {@code null} while there is no connection yet */
    public ReviewedAccess(Supplier<@Nullable KubernetesClient> client, Clock clock) {
        this.client = client;
        this.clock = clock;
        this.refusals = new AddressRate(REFUSALS, PENANCE, clock);
    }

    private static Map<String, Kept> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
                return size() > MOST_KEPT;
            }
        };
    }

    /**
     * Whether the sender of a request may use a path.
     *
     * @param from address of the sender
     * @param authorization value of its header {@code Authorization}
     * @param verb the method in lower case, such as {@code get}
     */
    public Review review(InetAddress from, Optional<String> authorization, String path, String verb) {
        String token = authorization
                .filter(value -> value.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(value -> value.substring(SCHEME.length()).strip())
                .orElse("");
        if (token.isEmpty()) {
            return Review.UNAUTHENTICATED;
        }
        String key = hash(token + "\n" + path + "\n" + verb);
        Review known = known(key);
        if (known != null) {
            return known;
        }
        if (wasAllowed(key)) {
            return ask(askingAgain, token, path, verb, key);
        }
        if (!refusals.take(from)) {
            return Review.TOO_MANY;
        }
        Review answer = ask(asking, token, path, verb, key);
        if (answer == Review.ALLOWED || answer == Review.UNKNOWN) {
            refusals.giveBack(from);
        }
        return answer;
    }

    private synchronized @Nullable Review known(String key) {
        Kept good = allowed.get(key);
        Kept answer = good == null ? refused.get(key) : good;
        return answer == null || clock.instant().isAfter(answer.until()) ? null : answer.review();
    }

    private synchronized boolean wasAllowed(String key) {
        return allowed.containsKey(key);
    }

    private Review ask(Semaphore asking, String token, String path, String verb, String key) {
        KubernetesClient connected = client.get();
        if (connected == null) {
            return Review.UNKNOWN;
        }
        try {
            if (!asking.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return Review.UNKNOWN;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Review.UNKNOWN;
        }
        try {
            Review known = known(key);
            return known == null ? keep(key, ask(connected, token, path, verb)) : known;
        } catch (KubernetesClientException e) {
            // Neither its message nor its cause: they may have the token.
            LOG.warn("The API server could not be asked who may {} {}: it answered {}", verb, path, e.getCode());
            return Review.UNKNOWN;
        } finally {
            asking.release();
        }
    }

    private synchronized Review keep(String key, Review review) {
        boolean good = review == Review.ALLOWED;
        allowed.remove(key);
        refused.remove(key);
        (good ? allowed : refused).put(key, new Kept(review, clock.instant().plus(good ? KEEP_ALLOWED : KEEP_REFUSED)));
        return review;
    }

    private static Review ask(KubernetesClient client, String token, String path, String verb) {
        TokenReview whose = client.tokenReviews()
                .create(new TokenReviewBuilder()
                        .withNewSpec()
                        .withToken(token)
                        .endSpec()
                        .build());
        UserInfo user = whose.getStatus() == null ? null : whose.getStatus().getUser();
        if (user == null || !Boolean.TRUE.equals(whose.getStatus().getAuthenticated())) {
            return Review.UNAUTHENTICATED;
        }
        SubjectAccessReview right = client.authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(user.getUsername())
                        .withUid(user.getUid())
                        .withGroups(new ArrayList<>(user.getGroups()))
                        .withExtra(user.getExtra())
                        .withNewNonResourceAttributes(path, verb)
                        .endSpec()
                        .build());
        boolean allowed = right.getStatus() != null
                && Boolean.TRUE.equals(right.getStatus().getAllowed());
        return allowed ? Review.ALLOWED : Review.FORBIDDEN;
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
