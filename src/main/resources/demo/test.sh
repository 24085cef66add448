#!/bin/sh
# Fails with a message when sum.sh adds wrongly.
cd "$(dirname "$0")" || exit 1
check() {
    want=$1
    shift
    got=$(sh sum.sh "$@")
    if [ "$got" != "$want" ]; then
        echo "FAIL: sum of $* is $want, but sum.sh printed $got"
        exit 1
    fi
    echo "ok: sum of $* is $got"
}
check 6 1 2 3
check 0
check 5 -5 10
