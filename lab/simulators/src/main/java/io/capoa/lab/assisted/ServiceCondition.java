package io.capoa.lab.assisted;

/** A condition of assisted-service, whose reasons may contain blanks. */
record ServiceCondition(String type, String status, String reason, String message) {

    static final String TRUE = "True";
    static final String FALSE = "False";
    static final String UNKNOWN = "Unknown";

    static ServiceCondition yes(String type, String reason, String message) {
        return new ServiceCondition(type, TRUE, reason, message);
    }

    static ServiceCondition no(String type, String reason, String message) {
        return new ServiceCondition(type, FALSE, reason, message);
    }

    static ServiceCondition unknown(String type, String reason, String message) {
        return new ServiceCondition(type, UNKNOWN, reason, message);
    }
}
