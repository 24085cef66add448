package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A model that works for so many turns: most calls are good, some cannot be carried out, some
 * replies break off. At a turn that somebody waits for it falls silent until told to go on.
 */
final class FaultyModel implements Script {
    private static final int FAULTS = 2; // replies of a hundred
    private static final int BYTES_PER_TOKEN = 4;

    private final Random random;
    private final int turns;
    private final List<String> counted = new ArrayList<>();
    private int turn;
    private int silentAt = Integer.MAX_VALUE;
    private boolean silent;

    FaultyModel(Random random, int turns) {
        this.random = random;
        this.turns = turns;
    }

    /** What the commands that it called for were to write, one line each. */
    synchronized List<String> counted() {
        return List.copyOf(counted);
    }

    /** Waits until it is asked for this turn; it gives no answer then. */
    void awaitTurn(int wanted) {
        synchronized (this) {
            silentAt = wanted;
        }
        Await.until("turn " + wanted, this::isSilent);
    }

    private synchronized boolean isSilent() {
        return silent;
    }

    synchronized void goOn() {
        silentAt = Integer.MAX_VALUE;
        silent = false;
    }

    @Override
    public void play(Exchange exchange) throws IOException {
        next(exchange).play(exchange);
    }

    private synchronized Script next(Exchange exchange) {
        if (BusyScript.isForSummary(exchange.asked())) {
            return says("They worked.").counting(tokens(exchange), 10);
        }
        if (turn >= silentAt) {
            silent = true;
            return Exchange::stall;
        }
        if (turn == turns) {
            return says("All done.").counting(tokens(exchange), 10);
        }
        boolean strict = exchange.asked().protocol() == Protocol.GEMINI; // its arguments are JSON
        Reply work = work(strict).counting(tokens(exchange), 10);
        if (random.nextInt(100) < FAULTS) {
            return fault(work);
        }
        turn++;
        if (random.nextInt(4) == 0) {
            counted.add(Integer.toString(turn));
            return calls("run_command", "command", "echo " + turn + " >> counter")
                    .counting(tokens(exchange), 10);
        }
        return work;
    }

    private static int tokens(Exchange exchange) {
        return exchange.asked().raw().length() / BYTES_PER_TOKEN;
    }

    private Script fault(Reply work) {
        return switch (random.nextInt(7)) {
            case 0 -> Faults.status(500, "Retry-After: 0", Faults.error("scripted"));
            case 1 -> Faults.status(429, "Retry-After: 0", Faults.error("slow down"));
            case 2 -> Faults.resetAfter(work);
            case 3 -> Faults.cutAfter(work);
            case 4 -> Faults.overloadedAfter(work);
            case 5 -> Faults.resetAfterHeaders();
            default -> Faults.endlessAfter(work);
        };
    }

    private Reply work(boolean strict) {
        if (random.nextInt(100) == 0) {
            return calls("run_command", "command", "(sleep 300 &) ; echo left");
        }
        return switch (random.nextInt(13)) {
            case 0 -> calls("read_file", "file_path", "a.txt");
            case 1 -> calls("read_file", "file_path", "nothing-there.txt");
            case 2 -> calls("read_file", "file_path", "../../../etc/shadow");
            case 3 -> calls("write_file", "file_path", "b" + turn % 9, "content", "text\n");
            case 4 ->
                    calls(
                            "edit_file",
                            "file_path",
                            "a.txt",
                            "old_string",
                            "two",
                            "new_string",
                            "2");
            case 5 -> calls("edit_file", "file_path", "a.txt", "old_string", "", "new_string", "");
            case 6 -> calls("run_command", "command", "exit " + random.nextInt(4));
            case 7 -> calls("run_command", "command", "head -c 300000 /dev/zero | tr '\\0' x");
            case 8 -> calls("run_command", "command", "kill -9 $$");
            case 9 -> calls("grep", "pattern", "two");
            case 10 -> calls("fly", "to", "the moon");
            case 11 -> calls(new Reply.Call("read_file", strict ? "{}" : "{\"file_path\":"));
            default ->
                    calls(
                                    call("read_file", "file_path", "a.txt"),
                                    call("list_files", "path", "."),
                                    call("read_file", "file_path", "b1"))
                            .saying("Let me see. " + turn);
        };
    }
}
