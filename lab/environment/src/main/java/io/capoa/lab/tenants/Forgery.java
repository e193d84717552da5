package io.capoa.lab.tenants;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Choices of a tenant who forges: each reference leads by chance to the tenant's own objects, to the victim's, or nowhere.
 * Objects of one name, the target's, take the first choice everywhere, and are a complete chain to the victim.
 */
public final class Forgery {

    private final Random random;
    private final String target;
    private final List<OwnerReference> owners = new ArrayList<>();

    /**
     * Choices by chance.
     *
     * @param target name of the objects that always take the first choice
     */
    public Forgery(Random random, String target) {
        this.random = random;
        this.target = target;
    }

    public boolean isTarget(String name) {
        return name.equals(target);
    }

    /** Adds an object that others can name as their owner; the first one added is the target's choice. */
    public void owner(HasMetadata object) {
        owners.add(new OwnerReferenceBuilder()
                .withApiVersion(object.getApiVersion())
                .withKind(object.getKind())
                .withName(object.getMetadata().getName())
                .withUid(object.getMetadata().getUid())
                .withController(true)
                .build());
    }

    /** UID of the first owner that was added. */
    public String targetUid() {
        return owners.getFirst().getUid();
    }

    /** One of the owners, whichever name the object has. */
    public OwnerReference anyOwner() {
        return owners.get(random.nextInt(owners.size()));
    }

    /** For the object of a name: the first where it is the target's. */
    public String one(String name, String first, String... others) {
        int choice = isTarget(name) ? 0 : random.nextInt(others.length + 1);
        return choice == 0 ? first : others[choice - 1];
    }

    /** By chance, whichever name the object has. */
    public boolean toss() {
        return random.nextBoolean();
    }
}
