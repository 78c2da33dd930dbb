"""What can be seen: views folded from the log, and the followers that keep them."""
