package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;

/** Where a run can be when something cuts it. */
enum Phase {
    /** The model has the request and has not answered. */
    HEADERS(Faults.silence()),
    /** The model is in the middle of its text. */
    STREAMING(Faults.stallAfter("Half of the answer")),
    /** A command runs whose tree ignores TERM. */
    COMMAND(
            calls(
                    "run_command",
                    "command",
                    "trap '' TERM INT; touch started; sleep 300 & sleep 300")),
    /** A hook runs after an edit. */
    HOOK(calls("write_file", "file_path", "a.txt", "content", "x\n"));

    private final Script first;

    Phase(Script first) {
        this.first = first;
    }

    ScriptedServer model(Script... later) {
        ScriptedServer model = ScriptedServer.chat(first);
        for (Script script : later) {
            model.then(script);
        }
        return model;
    }

    void addTo(ScriptedServer model) {
        model.then(first);
    }

    World world(ScriptedServer model) {
        return World.with(model)
                .config(
                        """
                        hooks:
                          post_edit:
                            - {name: slow, command: "touch started; sleep 300", timeout: 60}
                        """);
    }

    /** Waits until the process is there. */
    void await(AgentProcess process, ScriptedServer model) {
        model.awaitRequests(1);
        switch (this) {
            case HEADERS -> {}
            case STREAMING -> process.awaitOut("Half of");
            case COMMAND, HOOK -> process.awaitFile("started");
        }
    }
}
