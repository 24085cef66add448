package dev.agentloop.sandbox.kernel;

/** System calls on sockets, of which a sandboxed process makes the first three with our help. */
enum SocketCall {
    BIND(49, 200),
    CONNECT(42, 203),
    LISTEN(50, 201),
    NAME(51, 204), // getsockname
    SET_OPTION(54, 208),
    GET_OPTION(55, 209),
    SEND_TO(44, 206),
    SEND_MESSAGE(46, 211),
    SEND_MESSAGES(307, 269);

    private final int x86;
    private final int arm;

    SocketCall(int x86, int arm) {
        this.x86 = x86;
        this.arm = arm;
    }

    /** Its number on x86-64 or arm64. */
    int number(boolean onX86) {
        return onX86 ? x86 : arm;
    }
}
