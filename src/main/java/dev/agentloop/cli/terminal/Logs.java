package dev.agentloop.cli.terminal;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.OutputStreamAppender;
import dev.agentloop.output.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The technical console. Logback is loaded only when {@code -v} asks for it: it costs 70 ms. */
public final class Logs {
    private Logs() {}

    /** A logger that writes to standard error from this level on. */
    public static Logger console(Level level, Streams streams) {
        LoggerContext context = new LoggerContext();
        context.setMDCAdapter(new LogbackMDCAdapter()); // else each line fails, and silently
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d{HH:mm:ss.SSS} %-5level %msg%n");
        encoder.start();
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(streams.err());
        appender.start();
        ch.qos.logback.classic.Logger logger = context.getLogger("agent");
        logger.setLevel(
                level == Level.DEBUG
                        ? ch.qos.logback.classic.Level.DEBUG
                        : ch.qos.logback.classic.Level.INFO);
        logger.addAppender(appender);
        return logger;
    }

    /** What libraries of an optional engine have to say: only what a person should know. */
    public static void quietLibraries() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(ch.qos.logback.classic.Level.ERROR);
        }
    }
}
