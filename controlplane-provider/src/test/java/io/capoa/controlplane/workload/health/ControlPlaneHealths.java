package io.capoa.controlplane.workload.health;

import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.health.ControlPlaneHealth.Api;
import io.capoa.controlplane.workload.health.ControlPlaneHealth.Etcd;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Fixture: health of a control plane with nodes n-0, n-1 and n-2. */
public final class ControlPlaneHealths {

    private static final List<String> NODES = List.of("n-0", "n-1", "n-2");

    private ControlPlaneHealths() {}

    public static ControlPlaneHealth healthy() {
        return with(members(true, true, true));
    }

    public static ControlPlaneHealth with(Etcd etcd) {
        return new ControlPlaneHealth(Api.READY, etcd, nodes(), operators());
    }

    public static ControlPlaneHealth withNodes(NodeHealth... nodes) {
        return new ControlPlaneHealth(Api.READY, members(true, true, true), List.of(nodes), operators());
    }

    public static ControlPlaneHealth withOperator(OperatorHealth operator) {
        return new ControlPlaneHealth(Api.READY, members(true, true, true), nodes(), List.of(operator));
    }

    public static ControlPlaneHealth noConnection() {
        return unready("no connection");
    }

    public static ControlPlaneHealth unready(String failure) {
        return ControlPlaneHealth.lost(new Api(failure, false));
    }

    public static ControlPlaneHealth refused(String failure) {
        return ControlPlaneHealth.lost(Api.refused(failure));
    }

    public static ControlPlaneHealth etcdFailed() {
        return ControlPlaneHealth.lost(new Api("it cannot use etcd", true));
    }

    /** Members of the first nodes. */
    public static Etcd members(boolean... healthy) {
        return new Etcd(
                IntStream.range(0, healthy.length)
                        .mapToObj(n -> member(NODES.get(n), false, healthy[n]))
                        .toList(),
                "",
                true);
    }

    public static Etcd members(EtcdMember... members) {
        return new Etcd(Arrays.asList(members), "", true);
    }

    public static EtcdMember member(String name, boolean learner, boolean healthy) {
        return new EtcdMember("a" + name, name, Set.of("10.0.0.1"), learner, healthy);
    }

    public static Etcd unlisted(String why, boolean majority) {
        return new Etcd(List.of(), why, majority);
    }

    private static List<NodeHealth> nodes() {
        return NODES.stream().map(name -> new NodeHealth(name, true, "")).toList();
    }

    private static List<OperatorHealth> operators() {
        return Stream.of("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
                .map(name -> new OperatorHealth(name, true, false, ""))
                .toList();
    }
}
