#!/bin/sh
# Checks that a Tengen program answers START and BEGIN. `make exe` runs it on the new executable.
#
#   scripts/smoke.sh dist/pbrain-tengen/pbrain-tengen

program=$1
answer=$(printf 'START 15\nINFO timeout_turn 100\nBEGIN\n' | "$program" | tr -d '\r')
first=$(echo "$answer" | head -n 1)
last=$(echo "$answer" | tail -n 1)

if [ "$first" != OK ] || ! echo "$last" | grep -Eq '^[0-9]+,[0-9]+$'; then
    echo "$program: expected OK and a move, got: $answer" >&2
    exit 1
fi
echo "$program plays $last"
