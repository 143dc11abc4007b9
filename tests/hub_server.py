"""A stand-in for the Hugging Face Hub: repositories in memory, behind the calls that huggingface_hub makes."""

import base64
import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote


class Hub(ThreadingHTTPServer):
    """The server, its repositories (name → revision → file → bytes) and what it was asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.repositories: dict[str, dict[str, dict[str, bytes]]] = {}
        self.large: dict[str, bytes] = {}
        self.asked: list[str] = []
        self.private: dict[str, bool] = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def commit_of(files: dict[str, bytes]) -> str:
    """A commit is what its files are."""
    return hashlib.sha1(
        b"".join(b"%r %d\n%b" % (name, len(files[name]), files[name]) for name in sorted(files))
    ).hexdigest()


class Handler(BaseHTTPRequestHandler):
    """What the Hub answers."""

    server: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: Any) -> None:
        self.server.asked.append(f"{self.command} {self.path}")

    def answer(self, status: int, content: Any = b"", **headers: str) -> None:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            found = b""
            while size := int(self.rfile.readline(), 16):
                found += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return found
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def missing(self, what: str) -> None:
        self.answer(404, {"error": what}, X_Error_Code=what)

    def files(self, name: str, revision: str) -> dict[str, bytes] | None:
        """The files of a revision, or an answer that there are none."""
        known = self.server.repositories.get(name)
        if known is None:
            self.missing("RepoNotFound")
            return None
        revision = unquote(revision)
        for branch, files in known.items():
            if revision in (branch, commit_of(files)):
                return files
        self.missing("RevisionNotFound")
        return None

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if found := re.fullmatch(r"/api/models/([^/]+/[^/]+)/(?:revision|tree)/([^/]+)(?:/.*)?", path):
            if (files := self.files(found[1], found[2])) is not None:
                if "/tree/" in path:
                    rows = [
                        {"type": "file", "oid": hashlib.sha1(data).hexdigest(), "size": len(data), "path": name}
                        for name, data in files.items()
                    ]
                    self.answer(200, rows, X_Repo_Commit=commit_of(files))
                    return
                siblings = [{"rfilename": name} for name in files]
                self.answer(200, {"id": found[1], "sha": commit_of(files), "siblings": siblings, "private": False})
        elif found := re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path):
            if (files := self.files(found[1], found[2])) is not None:
                data = files.get(unquote(found[3]))
                if data is None:
                    self.missing("EntryNotFound")
                    return
                self.answer(200, data, ETag=f'"{hashlib.sha256(data).hexdigest()}"', X_Repo_Commit=commit_of(files))
        else:
            self.missing("RepoNotFound")

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        given = self.body()
        if not self.headers.get("Authorization", "").startswith("Bearer hf_"):
            self.answer(401, {"error": "Invalid username or password."})
            return
        path = self.path.partition("?")[0]
        if path == "/api/repos/create":
            wanted = json.loads(given)
            name = f"{wanted['organization']}/{wanted['name']}" if wanted.get("organization") else wanted["name"]
            self.server.repositories.setdefault(name, {"main": {}})
            self.server.private[name] = bool(wanted.get("private") or wanted.get("visibility") == "private")
            self.answer(200, {"url": f"{self.server.url}/{name}", "name": name, "id": name})
        elif found := re.fullmatch(r"/api/models/([^/]+/[^/]+)/branch/([^/]+)", path):
            branches = self.server.repositories[found[1]]
            branches.setdefault(unquote(found[2]), dict(branches["main"]))
            self.answer(200, {})
        elif re.fullmatch(r"/api/models/[^/]+/[^/]+/preupload/[^/]+", path):
            rows = [
                {
                    "path": one["path"],
                    "uploadMode": "lfs" if one["path"].endswith((".onnx", ".safetensors")) else "regular",
                    "shouldIgnore": False,
                    "oid": None,
                }
                for one in json.loads(given)["files"]
            ]
            self.answer(200, {"files": rows})
        elif path.endswith(".git/info/lfs/objects/batch"):
            rows = [
                {**one, "actions": {"upload": {"href": f"{self.server.url}/lfs/{one['oid']}"}}}
                for one in json.loads(given)["objects"]
            ]
            self.answer(200, {"transfer": "basic", "objects": rows})
        elif found := re.fullmatch(r"/api/models/([^/]+/[^/]+)/commit/([^/]+)", path):
            files = self.server.repositories[found[1]][unquote(found[2])]
            for line in given.splitlines():
                operation = json.loads(line)
                value = operation["value"]
                if operation["key"] == "file":
                    files[value["path"]] = base64.b64decode(value["content"])
                elif operation["key"] == "lfsFile":
                    files[value["path"]] = self.server.large[value["oid"]]
            commit = commit_of(files)
            address = f"{self.server.url}/{found[1]}/commit/{commit}"
            self.answer(200, {"success": True, "commitOid": commit, "commitUrl": address, "hookOutput": ""})
        else:
            self.answer(200, {})

    def do_PUT(self) -> None:
        self.server.large[self.path.rpartition("/")[2]] = self.body()
        self.answer(200)
