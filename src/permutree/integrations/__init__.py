"""Adapters to other libraries, each optional: spaCy, NLTK, pandas, notebooks, the Hub, Ray, Spark, Dask."""
