"""Whether a search keeps what everything else relies on."""
