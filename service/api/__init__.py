"""The HTTP API: one file for each resource, and what they all share."""
