package io.capoa.controlplane.release;

/** Credentials for a registry; never printed. */
sealed interface RegistryCredentials {

    /** No proof. */
    record Anonymous() implements RegistryCredentials {}

    /** User and password, sent as basic authentication to the registry or to its token service. */
    record Basic(String username, String password) implements RegistryCredentials {
        @Override
        public String toString() {
            return "Basic[…]";
        }
    }

    /** An OAuth2 refresh token that the token service exchanges for an access token. */
    record IdentityToken(String token) implements RegistryCredentials {
        @Override
        public String toString() {
            return "IdentityToken[…]";
        }
    }

    /** A bearer token that the registry takes as it is. */
    record RegistryToken(String token) implements RegistryCredentials {
        @Override
        public String toString() {
            return "RegistryToken[…]";
        }
    }
}
