package dev.agentloop.durable.temporal;

import dev.agentloop.durable.engine.DurableException;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.durable.engine.ObjectLogic;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Calls workflows by updates and queries, and in a worker carries them out. */
final class TemporalObjects implements DurableObjects {
    private static final long AGAIN_MILLIS = 200;
    // A turn takes milliseconds. That of a dead worker is over when this is, and with it every
    // other call of the object waits: so it must be much shorter than a lease of the queue.
    private static final Duration TURN = Duration.ofSeconds(2);
    private static final Duration ONE_CALL = Duration.ofSeconds(5);
    private static final int ABSENT = 4; // one history may just have ended and the next not begun
    private static final Duration START = Duration.ofSeconds(30); // of a service, to come up

    // What a dead worker had in its memory is soon offered to the others.
    private static final WorkerOptions OPTIONS =
            WorkerOptions.newBuilder()
                    .setStickyQueueScheduleToStartTimeout(Duration.ofSeconds(1))
                    .build();

    private final ExecutorService calls =
            Executors.newCachedThreadPool(work -> {
                Thread thread = new Thread(work, "temporal-call");
                thread.setDaemon(true);
                return thread;
            });

    private final String queue;
    private final String whom;
    private final Duration patience;
    private final WorkflowServiceStubs stubs;
    private final WorkflowClient client;
    private final NoStickiness stickiness = new NoStickiness();
    private WorkerFactory factory;

    TemporalObjects(String address, String namespace, String queue, Duration patience) {
        this.queue = queue;
        this.whom = "the Temporal service at " + address;
        this.patience = patience;
        this.stubs =
                WorkflowServiceStubs.newServiceStubs(
                        WorkflowServiceStubsOptions.newBuilder()
                                .setTarget(address)
                                .setRpcTimeout(Duration.ofSeconds(10))
                                .setGrpcClientInterceptors(List.of(stickiness))
                                .build());
        this.client =
                WorkflowClient.newInstance(
                        stubs, WorkflowClientOptions.newBuilder().setNamespace(namespace).build());
    }

    @Override
    public String apply(Operation operation) throws DurableException {
        return patiently(
                operation,
                stub ->
                        stub.startUpdate(
                                        UpdateOptions.newBuilder(String.class)
                                                .setUpdateName("apply")
                                                .setUpdateId(UUID.randomUUID().toString())
                                                .setWaitForStage(WorkflowUpdateStage.COMPLETED)
                                                .build(),
                                        operation.name(),
                                        operation.input())
                                .getResult());
    }

    @Override
    public String read(Operation operation) throws DurableException {
        return patiently(
                operation,
                stub -> stub.query("read", String.class, operation.name(), operation.input()));
    }

    /** What is done with the workflow. */
    private interface Call {
        String on(WorkflowStub stub);
    }

    private String patiently(Operation operation, Call call) throws DurableException {
        long end = System.nanoTime() + patience.toNanos();
        int absent = 0;
        while (true) {
            RuntimeException problem;
            try {
                return within(end, () -> call.on(client.newUntypedWorkflowStub(id(operation))));
            } catch (Unanswered e) {
                problem = e;
            } catch (WorkflowNotFoundException e) {
                problem = e;
                if (!isFoundedBy(operation)) {
                    absent++;
                    if (absent == ABSENT) {
                        return "{\"error\":\"there is no such task\"}";
                    }
                } else {
                    found(operation);
                }
            } catch (WorkflowServiceException | StatusRuntimeException e) {
                problem = e;
            }
            if (System.nanoTime() > end) {
                throw silent(String.valueOf(problem.getMessage()));
            }
            pause();
        }
    }

    /** Nobody answered a call: a worker may have died with it. */
    private static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unanswered() {
            super("no worker took it up");
        }
    }

    /**
     * The client itself waits for ever where no worker answers, also for a call that died with a
     * worker. So it is made anew; an operation that is done twice changes nothing the second time.
     */
    private String within(long end, Supplier<String> call) throws DurableException {
        Future<String> answer = calls.submit(call::get);
        long left = Math.min(end - System.nanoTime(), ONE_CALL.toNanos());
        try {
            return answer.get(Math.max(1, left), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new Unanswered();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new DurableException(whom + ": " + e.getCause());
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new DurableException("interrupted");
        }
    }

    private DurableException silent(String problem) {
        return new DurableException(
                "No answer from "
                        + whom
                        + " within "
                        + patience.toSeconds()
                        + " s ("
                        + problem
                        + "). Is it running, and is there a worker?");
    }

    private static boolean isFoundedBy(Operation operation) {
        return !operation.kind().equals(ObjectLogic.TASK) || operation.name().equals("submit");
    }

    private static String id(Operation operation) {
        return "agent-" + operation.kind() + "-" + operation.key();
    }

    private void found(Operation operation) {
        try {
            client.newUntypedWorkflowStub(
                            "AgentObject",
                            WorkflowOptions.newBuilder()
                                    .setWorkflowId(id(operation))
                                    .setTaskQueue(queue)
                                    .setWorkflowTaskTimeout(TURN)
                                    .build())
                    .start(operation.kind(), operation.key(), "{}");
        } catch (WorkflowExecutionAlreadyStarted e) {
            return; // somebody else was faster
        } catch (WorkflowServiceException | StatusRuntimeException e) {
            return; // the call that comes next says what is wrong
        }
    }

    private static void pause() throws DurableException {
        try {
            Thread.sleep(AGAIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DurableException("interrupted");
        }
    }

    @Override
    public void serve() throws DurableException {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            try {
                if (isTestServer()) {
                    stickiness.start();
                }
                factory = WorkerFactory.newInstance(client);
                Worker worker = factory.newWorker(queue, OPTIONS);
                worker.registerWorkflowImplementationTypes(DurableObjectWorkflow.class);
                factory.start();
                return;
            } catch (StatusRuntimeException e) {
                if (factory != null) {
                    factory.shutdownNow();
                }
                if (System.nanoTime() > end) {
                    throw silent(String.valueOf(e.getMessage()));
                }
            }
            pause();
        }
    }

    /** Only the test server says no version. */
    private boolean isTestServer() {
        return stubs.blockingStub()
                .getSystemInfo(GetSystemInfoRequest.getDefaultInstance())
                .getServerVersion()
                .isEmpty();
    }

    @Override
    public void close() {
        if (factory != null) {
            factory.shutdownNow();
        }
        calls.shutdownNow();
        stubs.shutdownNow();
    }
}
