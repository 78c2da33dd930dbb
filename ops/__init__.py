"""How Cairn runs: the command line, scripts, benchmarks and decisions."""
