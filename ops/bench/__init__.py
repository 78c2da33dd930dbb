"""Benchmarks: ratios of two sides that run interleaved, and sizes. Absolute figures of one machine mean nothing."""
