"""The laboratory: grids of trainings that are run once, kept as results, and printed as tables and plots.

An experiment is a TOML file in the folder ``grids``. Its cells are run by :mod:`permutree_lab.runner`, each in a
process of its own (:mod:`permutree_lab.cell`). What came of them is appended to a file of results, from which tables
and plots are made.
"""
