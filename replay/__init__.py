"""What happened, and was it right: records, stepping through games, audits."""
