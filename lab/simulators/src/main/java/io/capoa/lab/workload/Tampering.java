package io.capoa.lab.workload;

/** What a hostile administrator makes of a cluster's answers. */
public interface Tampering {

    /** An honest cluster. */
    Tampering NONE = new Tampering() {
        @Override
        public boolean takes(String request, byte[] body) {
            return true;
        }

        @Override
        public Reply reply(String request, Reply honest) {
            return honest;
        }
    };

    /**
     * An answer.
     *
     * @param status of HTTP; 101 for what a command writes
     * @param type of the content
     * @param body in UTF-8
     * @param isWhole whether all of the body is sent; otherwise the connection ends before
     */
    record Reply(int status, String type, String body, boolean isWhole) {}

    /**
     * Whether the cluster carries out a request that changes it; otherwise it answers as if it had.
     *
     * @param request method and path, or {@code exec} and the command
     */
    boolean takes(String request, byte[] body);

    /**
     * The answer that is sent.
     *
     * @param request method, path and query, or {@code exec}, the command and the number of the channel
     */
    Reply reply(String request, Reply honest);
}
