"""Notes of walks: which birds, how many, where, on which day."""
