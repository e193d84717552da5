package io.capoa.lab.conformance;

/**
 * A broken rule of the contract.
 *
 * @param object kind and name
 * @param what what is wrong and what the contract asks for, as a sentence without a dot
 */
public record Breach(String object, String what) {

    @Override
    public String toString() {
        return object + ": " + what;
    }
}
