"""The outside world: HTTP, jobs, followers and the wiring of real parts."""
