"""Inference: a model folder in, trees out."""
