"""Checks that the engine's C files compile for arm64, which no test runs on."""
