package io.capoa.bootstrap.config;

/**
 * Why something is not so yet.
 *
 * @param reason one of the config's condition reasons
 * @param message names what is waited for and, where somebody has to act, what to do
 */
record Hindrance(String reason, String message) {}
