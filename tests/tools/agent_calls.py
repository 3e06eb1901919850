"""Speaks HTTP to one of Sayso's sockets from wherever it runs: below a run it is an agent's process.

    agent_calls.py CALLS.jsonl ANSWERS.jsonl

A call is {"socket", "method", "path", "body"?, "raw"?, "headers"?}: `body` is sent as JSON, `raw` as latin-1 bytes. The run
and token headers come from SAYSO_RUN and SAYSO_TOKEN unless `headers` names them. An answer is {"status", "body"}.
"""
import json
import os
import socket
import sys


def call(one):
    body = one["raw"].encode("latin-1") if "raw" in one else json.dumps(one["body"]).encode() if "body" in one else b""
    headers = {"x-sayso-run": os.environ.get("SAYSO_RUN", ""), "x-sayso-token": os.environ.get("SAYSO_TOKEN", "")}
    headers.update(one.get("headers", {}))
    head = f"{one['method']} {one['path']} HTTP/1.1\r\nhost: sayso\r\nconnection: close\r\ncontent-type: application/json\r\n"
    head += f"content-length: {len(body)}\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n"
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(20)
    s.connect(one["socket"])
    try:
        s.sendall(head.encode() + body)
    except BrokenPipeError:
        pass  # refused before it had read everything; the answer is there all the same
    got = b""
    while True:
        try:
            part = s.recv(65536)
        except ConnectionResetError:
            break
        if not part:
            break
        got += part
    top, _, rest = got.partition(b"\r\n\r\n")
    status = int(top.split()[1]) if top else 0
    if b"chunked" in top.lower():
        out = b""
        while rest:
            size, _, rest = rest.partition(b"\r\n")
            n = int(size or b"0", 16)
            if n == 0:
                break
            out, rest = out + rest[:n], rest[n + 2:]
        rest = out
    return {"status": status, "body": rest.decode("utf-8", "replace")}


def main():
    with open(sys.argv[1]) as calls, open(sys.argv[2] + ".part", "w") as answers:
        for line in calls:
            answers.write(json.dumps(call(json.loads(line))) + "\n")
    os.rename(sys.argv[2] + ".part", sys.argv[2])


if __name__ == "__main__":
    main()
