package io.capoa.lab.cluster;

import java.nio.file.Path;

/** An audit log in {@code audit.k8s.io/v1} JSON lines, one line per finished request. */
public record AuditLog(Path file) {}
