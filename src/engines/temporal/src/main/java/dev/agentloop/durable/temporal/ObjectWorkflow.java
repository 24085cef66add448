package dev.agentloop.durable.temporal;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** An object of the port: its operations are updates, its state is in the workflow's history. */
@WorkflowInterface
public interface ObjectWorkflow {
    /**
     * Lives until nobody needs it any more.
     *
     * @param kind of the object
     * @param key of the object
     * @param state what a history before this one has left, as JSON
     */
    @WorkflowMethod(name = "AgentObject")
    void live(String kind, String key, String state);

    /** Does an operation that may change the object. */
    @UpdateMethod
    String apply(String name, String input);

    /** Does one that changes nothing. */
    @QueryMethod
    String read(String name, String input);
}
