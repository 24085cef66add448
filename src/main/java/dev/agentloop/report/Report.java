package dev.agentloop.report;

/** What a command of several runs has come to, whole or as far as it came. */
public sealed interface Report permits EvalReport, LoopReport, ParallelReport {
    /** The page, which needs nothing else; what is secret in it is the caller's to mask. */
    String html();
}
