"""The labellers: networks that read a sentence and say, for each word, how likely every value of its label is.

Only this folder and those that train and run its networks need PyTorch.
"""
