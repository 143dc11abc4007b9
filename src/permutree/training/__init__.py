"""Training labellers: settings, the loop, checkpoints."""
