package io.capoa.api.rules.disk;

/** The disk of a host that is installed to. */
public sealed interface DiskChoice {

    /**
     * That disk.
     *
     * @param id of the disk in the inventory
     */
    record Chosen(String id) implements DiskChoice {}

    /** Left to assisted-service: nothing asks for a disk. */
    record Unasked() implements DiskChoice {}

    /** The host has not said yet what disks it has. */
    record NotReported() implements DiskChoice {}

    /**
     * None, and no other takes its place.
     *
     * @param message what was asked for, what the host has, and the remedy
     */
    record None(String message) implements DiskChoice {}
}
