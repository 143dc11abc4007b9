"""What a model is, without PyTorch: its configuration, its features, its batches and its folder."""
