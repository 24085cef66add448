package dev.agentloop.durable.temporal;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;

/**
 * No object stays with the worker that last had it in memory. A service offers what waits for a
 * dead worker to the others after a second; the test server leaves it there for ever (1.38: its
 * tasks know no schedule-to-start timeout), and the Java SDK has no option for it.
 */
final class NoStickiness implements ClientInterceptor {
    private volatile boolean wanted;

    /** From now on. */
    void start() {
        wanted = true;
    }

    @Override
    public <T, R> ClientCall<T, R> interceptCall(
            MethodDescriptor<T, R> method, CallOptions options, Channel next) {
        return new SimpleForwardingClientCall<T, R>(next.newCall(method, options)) {
            @Override
            public void sendMessage(T message) {
                super.sendMessage(wanted ? changed(message) : message);
            }
        };
    }

    @SuppressWarnings("unchecked") // the same type comes out
    private static <T> T changed(T message) {
        return message instanceof RespondWorkflowTaskCompletedRequest completed
                ? (T) completed.toBuilder().clearStickyAttributes().build()
                : message;
    }
}
