package io.capoa.lab.cluster;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Random bearer tokens of the users of a local API server, which reads them at its start. */
final class UserTokens {

    static final String ADMINISTRATOR = "lab-administrator";
    static final String CONTROLLER_MANAGER = "system:kube-controller-manager";

    private static final int TOKEN_BYTES = 24;

    private final SortedMap<String, String> byUser = new TreeMap<>();
    private final SortedSet<String> declared = new TreeSet<>();

    UserTokens(Collection<String> users) {
        declared.addAll(users);
        SecureRandom random = new SecureRandom();
        TreeSet<String> all = new TreeSet<>(declared);
        all.add(ADMINISTRATOR);
        all.add(CONTROLLER_MANAGER);
        for (String user : all) {
            byte[] bytes = new byte[TOKEN_BYTES];
            random.nextBytes(bytes);
            byUser.put(user, HexFormat.of().formatHex(bytes));
        }
    }

    /**
     * The user's token.
     *
     * @throws ClusterException for a user that was not declared before the start
     */
    String of(String user) {
        String token = byUser.get(user);
        if (token == null) {
            throw new ClusterException(
                    "The API server knows no user %s: name it when the cluster is started. It knows %s."
                            .formatted(user, declared));
        }
        return token;
    }

    /** Lines {@code token,user,uid,"groups"} as kube-apiserver's {@code --token-auth-file} takes them. */
    String file() {
        return byUser.entrySet().stream()
                .map(entry -> "%s,%s,%s%s%n"
                        .formatted(
                                entry.getValue(),
                                entry.getKey(),
                                entry.getKey(),
                                entry.getKey().equals(ADMINISTRATOR) ? ",\"system:masters\"" : ""))
                .collect(Collectors.joining());
    }
}
