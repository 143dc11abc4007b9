"""Corpora of many documents: one step for batches of Arrow records, shards with a manifest, resuming."""
