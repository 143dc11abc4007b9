"""Experiments: grids of trainings that are run once, kept as results, and printed as tables and plots.

An experiment is a TOML file in the folder ``experiments``. Its cells are run by :mod:`permutree.experiments.runner`,
each in a process of its own (:mod:`permutree.experiments.cell`), and what came of them is appended to a file of
results, from which tables and plots are made.
"""
