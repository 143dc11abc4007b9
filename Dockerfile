# permutree serve, with the bundled models:
#   docker build -t permutree .
#   docker run --rm -p 127.0.0.1:8000:8000 permutree
FROM python:3.13-slim

RUN apt-get update && apt-get install --yes --no-install-recommends fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /build
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY src src
RUN pip install --no-cache-dir '.[serve,search]' && rm -rf /build

WORKDIR /
RUN useradd --system permutree
USER permutree
EXPOSE 8000
HEALTHCHECK CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz')"]
# In the container all addresses are its own; who reaches them is said by -p.
ENTRYPOINT ["permutree", "serve", "--host", "0.0.0.0"]
