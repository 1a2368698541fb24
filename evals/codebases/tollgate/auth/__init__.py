"""Who somebody is, and for how long we remember it."""
