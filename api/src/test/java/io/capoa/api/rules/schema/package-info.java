/** Validation of older versions by the schema of v1beta1. */
