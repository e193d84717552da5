package io.capoa.lint.manifest;

/**
 * A file of manifests: YAML documents or JSON.
 *
 * @param name for messages, such as {@code ccm.yaml} or {@code key ccm.yaml of ConfigMap ccm}
 */
public record ManifestFile(String name, String text) {}
