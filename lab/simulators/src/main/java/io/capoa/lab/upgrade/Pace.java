package io.capoa.lab.upgrade;

import java.time.Duration;

/**
 * Durations of an upgrade's steps.
 *
 * @param payload retrieval of a requested release
 * @param operator update of one cluster operator
 * @param patience time after which an operator that is not updated is suspected; machine-config has three times as
 *     much. Zero suspects operators that are stuck at once, and never others
 * @param drain of a node
 * @param reboot of a node until it is ready again
 */
public record Pace(Duration payload, Duration operator, Duration patience, Duration drain, Duration reboot) {}
