package io.capoa.api.rules.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The CEL rules of the v1beta1 schemas in Java, keyed by their text: a rule whose text has changed has no twin until
 * both are updated. A rule that compares with the old value only to accept stored objects is looked up by its first half; the
 * webhook ratchets on its own.
 */
final class CelRules {

    private static final Set<String> WITHOUT_ADDRESSES = Set.of("None", "External");
    private static final Set<String> BALANCED = Set.of("BareMetal", "VSphere");
    private static final Set<String> WITH_ADDRESSES = Set.of("BareMetal", "VSphere", "Nutanix");

    /** Such as {@code self == '' || self.matches('^a$')} and {@code !self.matches('^a$')}. */
    private static final Pattern MATCHES = Pattern.compile("(self == '' \\|\\| )?(!?)self\\.matches\\('([^']*)'\\)");

    private static final Pattern RATCHETED =
            Pattern.compile("\\((.*)\\) \\|\\| !oldSelf\\.optMap\\(self, \\1\\)\\.orValue\\(true\\)");
    private static final Pattern IP4 = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
    private static final Pattern IP6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
    private static final Pattern PREFIX = Pattern.compile("0|[1-9][0-9]{0,2}");
    private static final Pattern TIME =
            Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?Z");
    private static final GoPattern NAMING =
            GoPattern.of("^([a-z0-9-]|[{][{] ?[.](cluster|controlPlane)[.]name ?[}][}])+-[{][{] ?[.]random ?[}][}]$");

    private static final GoPattern BEFORE_MANY_HOSTS = GoPattern.of("^4[.]([0-9]|1[0-7])[.]");

    private static final Map<String, Optional<BiPredicate<JsonNode, JsonNode>>> KNOWN = new ConcurrentHashMap<>();

    private static final Map<String, BiPredicate<JsonNode, JsonNode>> TWINS = Map.ofEntries(
            // OpenshiftAssistedConfig
            change(
                    "has(self.spec) == has(oldSelf.spec) && (!has(self.spec) || self.spec == oldSelf.spec)",
                    (self, old) -> self.path("spec").equals(old.path("spec"))),
            rule(
                    "self.all(label, label.matches('^[^=]+='))",
                    self -> all(self, label -> label.asText().indexOf('=') > 0)),
            // OpenshiftAssistedControlPlaneSpec
            change(
                    "has(self.arbiter) == has(oldSelf.arbiter)",
                    (self, old) -> self.has("arbiter") == old.has("arbiter")),
            rule(
                    "!has(self.arbiter) || !has(self.replicas) || self.replicas == 3",
                    self -> !self.has("arbiter") || !self.has("replicas") || isInt(self.path("replicas"), 3)),
            change(
                    "!has(oldSelf.status) || !has(oldSelf.status.initialization) || !has(oldSelf.status.initialization.controlPlaneInitialized) || !oldSelf.status.initialization.controlPlaneInitialized || !has(self.spec.replicas) || !has(oldSelf.spec.replicas) || (self.spec.replicas == 1) == (oldSelf.spec.replicas == 1)",
                    CelRules::staysSingle),
            rule(
                    "!has(self.replicas) || self.replicas <= 3 || !self.distributionVersion.matches('^4[.]([0-9]|1[0-7])[.]')",
                    self -> self.path("replicas").asInt() <= 3
                            || !BEFORE_MANY_HOSTS.find(
                                    self.path("distributionVersion").asText())),
            rule(
                    "!has(self.replicas) || self.replicas != 1 || !has(self.config) || !(has(self.config.platform) && has(self.config.platform.type) ? self.config.platform.type in ['BareMetal', 'VSphere', 'Nutanix'] : (has(self.config.apiVIPs) && size(self.config.apiVIPs) > 0) || (has(self.config.loadBalancer) && has(self.config.loadBalancer.type) && self.config.loadBalancer.type == 'UserManaged'))",
                    self -> !isInt(self.path("replicas"), 1) || !isBalanced(self.path("config"))),
            rule("self != 2", self -> !isInt(self, 2)),
            rule("self in [1, 2, 3, 4, 5]", self -> self.asInt() >= 1 && self.asInt() <= 5),
            rule("self == 1", self -> isInt(self, 1)),
            rule("self in [0, 1]", self -> isInt(self, 0) || isInt(self, 1)),
            rule("self.endsWith('Template')", self -> self.asText().endsWith("Template")),
            rule(
                    "self in ['RollingUpdate', 'OnDelete']",
                    self -> Set.of("RollingUpdate", "OnDelete").contains(self.asText())),
            rule(
                    "!has(self.rollingUpdate) || self.type == 'RollingUpdate'",
                    self -> !self.has("rollingUpdate")
                            || self.path("type").asText().equals("RollingUpdate")),
            rule(
                    "self.matches('^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?Z$') && timestamp(self) > timestamp('1970-01-01T00:00:00Z')",
                    self -> isTimeInUtc(self.asText())),
            rule(
                    "self.matches('^([a-z0-9-]|[{][{] ?[.](cluster|controlPlane)[.]name ?[}][}])+-[{][{] ?[.]random ?[}][}]$') && !self.startsWith('-')",
                    self -> NAMING.find(self.asText()) && !self.asText().startsWith("-")),
            rule("self.all(x, self.exists_one(y, x == y))", CelRules::areDifferent),
            rule(
                    "self.all(pool, pool != 'master')",
                    self -> all(self, pool -> !pool.asText().equals("master"))),
            // ClusterConfig
            rule(
                    "self == '' || self.contains('-----BEGIN CERTIFICATE-----')",
                    self -> self.asText().isEmpty() || self.asText().contains("-----BEGIN CERTIFICATE-----")),
            rule("self.all(vip, isIP(vip))", self -> all(self, vip -> address(vip.asText()) != null)),
            rule(
                    "size(self) != 2 || !self.all(vip, isIP(vip)) || ip(self[0]).family() != ip(self[1]).family()",
                    self -> self.size() != 2
                            || !all(self, vip -> address(vip.asText()) != null)
                            || address(self.path(0).asText()) instanceof Inet4Address
                                    != address(self.path(1).asText()) instanceof Inet4Address),
            rule(
                    "self.all(ref, has(ref.name) && ref.name != '')",
                    self -> all(self, ref -> !ref.path("name").asText().isEmpty())),
            rule("isCIDR(self)", self -> isAddressBlock(self.asText())),
            rule(
                    "!has(self.platformName) || self.platformName == '' || (has(self.type) && self.type == 'External')",
                    self -> self.path("platformName").asText().isEmpty()
                            || self.path("type").asText().equals("External")),
            rule(
                    "!has(self.cloudControllerManager) || (has(self.type) && self.type == 'External')",
                    self -> !self.has("cloudControllerManager")
                            || self.path("type").asText().equals("External")),
            rule(
                    "(has(self.apiVIPs) && size(self.apiVIPs) > 0) == (has(self.ingressVIPs) && size(self.ingressVIPs) > 0)",
                    self -> hasAddresses(self) == !self.path("ingressVIPs").isEmpty()),
            rule(
                    "!(has(self.platform) && has(self.platform.type) && self.platform.type in ['None', 'External']) || !(has(self.apiVIPs) && size(self.apiVIPs) > 0)",
                    self -> !WITHOUT_ADDRESSES.contains(platform(self)) || !hasAddresses(self)),
            rule(
                    "!(has(self.platform) && has(self.platform.type) && self.platform.type in ['BareMetal', 'VSphere']) || (has(self.apiVIPs) && size(self.apiVIPs) > 0) || (has(self.loadBalancer) && has(self.loadBalancer.type) && self.loadBalancer.type == 'UserManaged')",
                    self -> !BALANCED.contains(platform(self))
                            || hasAddresses(self)
                            || loadBalancer(self).equals("UserManaged")),
            rule(
                    "!(has(self.platform) && has(self.platform.type) && self.platform.type == 'Nutanix') || (has(self.apiVIPs) && size(self.apiVIPs) > 0)",
                    self -> !platform(self).equals("Nutanix") || hasAddresses(self)),
            rule(
                    "!has(self.loadBalancer) || !has(self.loadBalancer.type) || self.loadBalancer.type != 'UserManaged' || !has(self.platform) || !has(self.platform.type) || self.platform.type in ['BareMetal', 'VSphere']",
                    self -> !loadBalancer(self).equals("UserManaged")
                            || platform(self).isEmpty()
                            || BALANCED.contains(platform(self))),
            rule(
                    "!has(self.loadBalancer) || !has(self.loadBalancer.type) || self.loadBalancer.type != 'ClusterManaged' || !has(self.platform) || !has(self.platform.type) || !(self.platform.type in ['None', 'External'])",
                    self -> !loadBalancer(self).equals("ClusterManaged")
                            || !WITHOUT_ADDRESSES.contains(platform(self))),
            rule(
                    "!has(self.networking) || !has(self.networking.userManagedNetworking) || self.networking.userManagedNetworking || !has(self.platform) || !has(self.platform.type) || !(self.platform.type in ['None', 'External'])",
                    self -> userManaged(self).asBoolean(true) || !WITHOUT_ADDRESSES.contains(platform(self))),
            rule(
                    "!(has(self.networking) && has(self.networking.userManagedNetworking) && self.networking.userManagedNetworking) || !(has(self.platform) && has(self.platform.type) ? self.platform.type in ['BareMetal', 'VSphere', 'Nutanix'] : (has(self.apiVIPs) && size(self.apiVIPs) > 0))",
                    self -> !userManaged(self).asBoolean(false)
                            || !(platform(self).isEmpty()
                                    ? hasAddresses(self)
                                    : WITH_ADDRESSES.contains(platform(self)))));

    private CelRules() {}

    private static boolean staysSingle(JsonNode self, JsonNode old) {
        JsonNode now = self.path("spec").path("replicas");
        JsonNode before = old.path("spec").path("replicas");
        return !old.path("status")
                        .path("initialization")
                        .path("controlPlaneInitialized")
                        .asBoolean()
                || now.isMissingNode()
                || before.isMissingNode()
                || isInt(now, 1) == isInt(before, 1);
    }

    /** Whether the cluster serves its API on virtual addresses, or behind a load balancer for several nodes. */
    private static boolean isBalanced(JsonNode config) {
        return platform(config).isEmpty()
                ? hasAddresses(config) || loadBalancer(config).equals("UserManaged")
                : WITH_ADDRESSES.contains(platform(config));
    }

    /**
     * Whether a rule holds.
     *
     * @param before what the value replaces; a missing node if it is new, and then rules of change hold
     */
    static boolean holds(String rule, JsonNode value, JsonNode before) {
        return KNOWN.computeIfAbsent(rule, CelRules::twin)
                .map(twin -> twin.test(value, before))
                .orElse(true);
    }

    /** Whether a rule has a twin; every one of our schemas does. */
    static boolean isKnown(String rule) {
        return twin(rule).isPresent();
    }

    /** The texts of the rules that have a twin of their own. */
    static Set<String> texts() {
        return TWINS.keySet();
    }

    /** The text by which the twin of a rule is looked up. */
    static String text(String rule) {
        Matcher ratcheted = RATCHETED.matcher(rule);
        return ratcheted.matches() ? ratcheted.group(1) : rule;
    }

    private static Optional<BiPredicate<JsonNode, JsonNode>> twin(String rule) {
        String text = text(rule);
        Matcher matches = MATCHES.matcher(text);
        if (!matches.matches()) {
            return Optional.ofNullable(TWINS.get(text));
        }
        GoPattern pattern = GoPattern.of(matches.group(3));
        boolean wanted = matches.group(2).isEmpty();
        boolean orEmpty = matches.group(1) != null;
        return Optional.of(
                (self, old) -> (orEmpty && self.asText().isEmpty()) || pattern.find(self.asText()) == wanted);
    }

    private static Map.Entry<String, BiPredicate<JsonNode, JsonNode>> rule(String text, Predicate<JsonNode> holds) {
        return Map.entry(text, (self, old) -> holds.test(self));
    }

    private static Map.Entry<String, BiPredicate<JsonNode, JsonNode>> change(
            String text, BiPredicate<JsonNode, JsonNode> holds) {
        return Map.entry(text, (self, old) -> old.isMissingNode() || holds.test(self, old));
    }

    private static boolean all(JsonNode list, Predicate<JsonNode> holds) {
        return StreamSupport.stream(list.spliterator(), false).allMatch(holds);
    }

    private static boolean areDifferent(JsonNode list) {
        Set<JsonNode> seen = new HashSet<>();
        return all(list, seen::add);
    }

    private static boolean isInt(JsonNode value, int number) {
        return value.isInt() && value.intValue() == number;
    }

    private static boolean hasAddresses(JsonNode config) {
        return !config.path("apiVIPs").isEmpty();
    }

    private static String platform(JsonNode config) {
        return config.path("platform").path("type").asText();
    }

    private static String loadBalancer(JsonNode config) {
        return config.path("loadBalancer").path("type").asText();
    }

    private static JsonNode userManaged(JsonNode config) {
        return config.path("networking").path("userManagedNetworking");
    }

    private static @Nullable InetAddress address(String text) {
        boolean ip6 = text.indexOf(':') >= 0;
        if (!(ip6 ? IP6 : IP4).matcher(text).matches()) {
            return null;
        }
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            // An IPv4 address in the form of an IPv6 one is none to CEL.
            return ip6 == address instanceof Inet4Address ? null : address;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isAddressBlock(String text) {
        int slash = text.indexOf('/');
        InetAddress address = slash < 0 ? null : address(text.substring(0, slash));
        return address != null
                && PREFIX.matcher(text.substring(slash + 1)).matches()
                && Integer.parseInt(text.substring(slash + 1)) <= address.getAddress().length * 8;
    }

    private static boolean isTimeInUtc(String text) {
        try {
            return TIME.matcher(text).matches() && Instant.parse(text).isAfter(Instant.EPOCH);
        } catch (DateTimeException e) {
            return false;
        }
    }
}
