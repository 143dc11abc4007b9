"""The server: parsing and everything around it over HTTP, a page where people see trees, and a client in Python.

One process speaks HTTP and never looks into what people send. It hands requests to worker processes, several small ones
together, and passes on the bytes that these answer with. So a worker that dies, hangs or runs out of memory takes
nobody with it: it is replaced, and what it held is tried once more.

``settings``   what is served, and the limits
``messages``   requests and answers, as OpenAPI describes them; ``answers`` those that are ready
``work``       what a worker does with requests, ``parsing`` with those to be parsed, ``treebanks`` with trees
``records``    a tree as the JSON of an answer
``worker``     the worker process, ``frames`` how it talks to the server, ``pool`` how the server keeps some busy
``front``      bodies in, answers out; ``app`` the paths; ``gate`` headers and who may ask; ``server`` all of it
``client``     ``permutree.Client``
"""
