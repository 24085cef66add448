/* Kills its process, as by kill -9, at the KILL_AT-th write or sync of a file named journal.jsonl:
 * before it, or with KILL_HALF=1 after half the bytes of a write. Loaded by LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int calls;

static int is_journal(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 14) {
        return 0;
    }
    path[length] = 0;
    return strcmp(path + length - 14, "/journal.jsonl") == 0;
}

static int is_time(int fd) {
    const char *at = getenv("KILL_AT");
    return at && is_journal(fd) && atomic_fetch_add(&calls, 1) + 1 == atoi(at);
}

static void die(void) {
    kill(getpid(), SIGKILL);
    for (;;) {
        pause();
    }
}

ssize_t write(int fd, const void *bytes, size_t count) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) {
        real = dlsym(RTLD_NEXT, "write");
    }
    if (is_time(fd)) {
        if (getenv("KILL_HALF")) {
            real(fd, bytes, count / 2);
        }
        die();
    }
    return real(fd, bytes, count);
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) {
        real = dlsym(RTLD_NEXT, "fsync");
    }
    if (is_time(fd)) {
        die();
    }
    return real(fd);
}

int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) {
        real = dlsym(RTLD_NEXT, "fdatasync");
    }
    if (is_time(fd)) {
        die();
    }
    return real(fd);
}
