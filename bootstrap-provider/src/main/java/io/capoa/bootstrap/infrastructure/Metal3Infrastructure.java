package io.capoa.bootstrap.infrastructure;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.contract.Metal3MachineView;
import io.capoa.api.contract.OlderMetal3Machine;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.agent.HostIdentity;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.ReportedCause;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Metal3Machine.
 *
 * @param bareMetalHost its BareMetalHost, {@code null} while it has taken none, or none that is seen
 * @param unhealthyHosts names of the hosts of its namespace that are free and marked as unhealthy, so that it takes none
 *     of them; not read once it has taken one
 */
public record Metal3Infrastructure(
        Metal3Machine machine, @Nullable BareMetalHost bareMetalHost, List<String> unhealthyHosts)
        implements Infrastructure {

    private static final int NAMED_HOSTS = 3;
    private static final int LONGEST_ERROR = 1000;

    /** The condition by which CAPM3 reports its search for a host, and that of its versions before the v1beta2 contract. */
    private static final List<String> ASSOCIATIONS = List.of("AssociateBareMetalHost", "AssociateBMH");

    private static final Set<String> ASSOCIATION_FAILURES =
            Set.of("AssociateBareMetalHostFailed", "AssociateBMHFailed");

    /** One that has taken a host, or need not know the others. */
    public Metal3Infrastructure(Metal3Machine machine, @Nullable BareMetalHost bareMetalHost) {
        this(machine, bareMetalHost, List.of());
    }

    /** An Agent that reports while Metal3 has taken no host has media that were left in it; it counts once approved. */
    @Override
    public boolean isTaken(List<Agent> registered) {
        return takenHost(machine) != null || registered.stream().anyMatch(AgentFields::isApproved);
    }

    @Override
    public Optional<Blocker> hostBlocker() {
        return shortage(machine)
                .map(association -> new Blocker(
                        ConfigConditions.NO_HOST_AVAILABLE,
                        "Metal3Machine %s has no BareMetalHost: %s. Free or add one that it selects, see kubectl get baremetalhosts -n %s%s"
                                .formatted(
                                        machine.getMetadata().getName(),
                                        cause(association.message()),
                                        machine.getMetadata().getNamespace(),
                                        unhealthy())))
                .or(this::hostError);
    }

    /** CAPM3 reports no error of a host that it has taken. */
    private Optional<Blocker> hostError() {
        BareMetalHost host = bareMetalHost;
        if (host == null || !new Metal3Host(machine, host).isConsumer()) {
            return Optional.empty();
        }
        return Optional.ofNullable(BareMetalHostView.of(host).errorMessage())
                .filter(error -> !error.isBlank())
                .map(error -> new Blocker(
                        ConfigConditions.BARE_METAL_HOST_ERROR,
                        "BareMetalHost %s/%s does not boot for the Machine: %s. baremetal-operator tries again; if the image is at fault, correct the Metal3MachineTemplate and delete the Machine"
                                .formatted(
                                        host.getMetadata().getNamespace(),
                                        host.getMetadata().getName(),
                                        UntrustedContent.quoted(error.strip(), LONGEST_ERROR))));
    }

    /** Whether Metal3 finds no host for the machine. */
    static boolean isShortOfHosts(Metal3Machine machine) {
        return shortage(machine).isPresent();
    }

    private static Optional<ConditionView> shortage(Metal3Machine machine) {
        return takenHost(machine) != null
                ? Optional.empty()
                : ASSOCIATIONS.stream()
                        .flatMap(type -> ConditionView.of(machine, type).stream())
                        .filter(association -> isFailure(association.status(), association.reason()))
                        .findFirst();
    }

    /** The hosts that are free but marked, as the end of a message; empty without any. */
    private String unhealthy() {
        if (unhealthyHosts.isEmpty()) {
            return "";
        }
        int more = unhealthyHosts.size() - NAMED_HOSTS;
        return ". Not taken because of annotation %1$s: %2$s%3$s; if it is repaired, run kubectl annotate baremetalhost -n %4$s %5$s %1$s-"
                .formatted(
                        unhealthyMark(machine),
                        String.join(", ", unhealthyHosts.subList(0, Math.min(NAMED_HOSTS, unhealthyHosts.size()))),
                        more > 0 ? " and %d more".formatted(more) : "",
                        machine.getMetadata().getNamespace(),
                        unhealthyHosts.getFirst());
    }

    /** The annotation by which the release of Cluster API Provider Metal3 that serves the machine leaves a host out. */
    static String unhealthyMark(Metal3Machine machine) {
        return machine instanceof OlderMetal3Machine ? Annotations.OLDER_HOST_UNHEALTHY : Annotations.HOST_UNHEALTHY;
    }

    /** CAPM3's message without what it says of itself. */
    private static String cause(String message) {
        String cause = ReportedCause.of(
                message.replaceFirst("^failed to associate the Metal3Machine to a BareMetalHost: ", ""));
        return cause.isBlank() ? "it could not be associated with one" : cause;
    }

    /** Whether a condition says that Metal3 found no host or could not take it; a passing wait has other reasons. */
    static boolean isHostShortage(Map<?, ?> condition) {
        return ASSOCIATIONS.contains(condition.get("type"))
                && isFailure(String.valueOf(condition.get("status")), String.valueOf(condition.get("reason")));
    }

    private static boolean isFailure(String status, String reason) {
        return status.equals(Condition.FALSE) && ASSOCIATION_FAILURES.contains(reason);
    }

    @Override
    public boolean isLiveIso() {
        return Metal3MachineView.of(machine).isLiveIso();
    }

    /** A config drive has no limit. */
    @Override
    public boolean hasUserData() {
        return false;
    }

    @Override
    public HostIdentity identity() {
        if (bareMetalHost == null) {
            return unknown(noHost());
        }
        Metal3Host host = new Metal3Host(machine, bareMetalHost);
        return host.isConsumer()
                ? host.identity()
                : unknown("BareMetalHost %s/%s has no spec.consumerRef to Metal3Machine %s"
                        .formatted(
                                bareMetalHost.getMetadata().getNamespace(),
                                bareMetalHost.getMetadata().getName(),
                                machine.getMetadata().getName()));
    }

    private static HostIdentity unknown(String why) {
        return new HostIdentity.Unknown(new Blocker(
                ConfigConditions.WAITING_FOR_BARE_METAL_HOST, why + ": its Agent and its node cannot be identified"));
    }

    /** Metal3 finds a host's Node by this label. */
    @Override
    public Set<String> nodeLabels() {
        return Set.of(Labels.METAL3_UUID);
    }

    /**
     * baremetal-operator prefers a custom deploy method to a live ISO, which it then never boots, and CAPM3 gives a host that
     * has a method of its own neither image nor user data.
     */
    @Override
    public Optional<Blocker> bootFailure() {
        String name = machine.getMetadata().getName();
        Metal3MachineView asked = Metal3MachineView.of(machine);
        if (asked.isLiveIso() && asked.hasCustomDeploy()) {
            return Optional.of(conflict(
                    "Metal3Machine %s has spec.customDeploy beside a live ISO, which baremetal-operator then does not boot: remove spec.customDeploy from it and from its Metal3MachineTemplate, or name a disk image there in place of the live ISO"
                            .formatted(name)));
        }
        BareMetalHost host = bareMetalHost;
        if (host == null
                || asked.hasCustomDeploy()
                || !BareMetalHostView.of(host).hasCustomDeploy()
                || !new Metal3Host(machine, host).isConsumer()) {
            return Optional.empty();
        }
        return Optional.of(conflict(
                "BareMetalHost %s/%s has spec.customDeploy of its own, so Metal3 gives it neither image nor user data of Metal3Machine %s: remove spec.customDeploy from the BareMetalHost, then delete the Machine"
                        .formatted(
                                host.getMetadata().getNamespace(),
                                host.getMetadata().getName(),
                                name)));
    }

    private static Blocker conflict(String message) {
        return new Blocker(ConfigConditions.CUSTOM_DEPLOY_CONFLICT, message);
    }

    @Override
    public Map<String, Object> booting(String isoUrl) {
        return !isLiveIso() || isoUrl.equals(Metal3MachineView.of(machine).imageUrl())
                ? Map.of()
                : Map.of("spec", Map.of("image", Map.of("url", isoUrl)));
    }

    @Override
    public Optional<HostPower> powerOff(boolean unhealthy) {
        return Optional.of(
                bareMetalHost == null
                        ? HostPower.waiting(noHost())
                        : new Metal3Host(machine, bareMetalHost).powerOff(unhealthy));
    }

    @Override
    public @Nullable Host host() {
        return bareMetalHost == null ? null : new Metal3Host(machine, bareMetalHost);
    }

    private String noHost() {
        String name = "Metal3Machine " + machine.getMetadata().getName();
        String taken = takenHost(machine);
        return taken == null || ownHost(machine).isPresent()
                ? name + " refers to no existing BareMetalHost"
                : name + " has annotation " + Annotations.BARE_METAL_HOST
                        + ", which names no BareMetalHost of its namespace and is ignored: remove the annotation";
    }

    /** {@code namespace/name} of the BareMetalHost that a Metal3Machine has taken (Metal3's annotation). */
    static @Nullable String takenHost(Metal3Machine machine) {
        Map<String, String> annotations = machine.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(Annotations.BARE_METAL_HOST);
    }

    /**
     * Name of the BareMetalHost that a Metal3Machine has taken, if it is in the machine's namespace. Metal3 takes no other,
     * and users of one namespace can write the annotation, but not the hosts of another.
     */
    static Optional<String> ownHost(Metal3Machine machine) {
        String prefix = machine.getMetadata().getNamespace() + "/";
        return Optional.ofNullable(takenHost(machine))
                .filter(taken -> taken.startsWith(prefix))
                .map(taken -> taken.substring(prefix.length()));
    }
}
