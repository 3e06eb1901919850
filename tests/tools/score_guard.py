#!/usr/bin/env python3
"""score_guard: score `sayso explain --jsonl` against a labelled corpus (its fields: the head of tests/suite/guard_corpus.rs).

    python3 tests/tools/score_guard.py --sayso target/release/sayso tests/corpus/guard_commands.jsonl [--show 20] [--class heredoc]
    python3 tests/tools/score_guard.py --sayso target/release/sayso --secrets tests/corpus/secret_texts.jsonl

What it asks of the program
  `sayso explain --jsonl` reads one JSON object a line and answers one a line, in order, without needing a core:
    {"id", "kind": "command", "command", "cwd", "env": {..}}  ->  {"id", "actions": [{"action","target","mode"}], "opaque": bool, "alone": bool}
    {"id", "kind": "sql", "sql", "client"}                    ->  {"id", "sql": "read"|"write"|"unknown"}
    {"id", "kind": "text", "text"}                            ->  {"id", "secret": bool}
  The commands are laid in real repositories (as the corpus says), HOME is the laid home. The built-in policy is used.
Output: a table of rates by class and one line of JSON with the totals, last. Exit status 0 unless it could not run.
"""
import argparse, collections, json, os, shutil, subprocess, sys, tempfile, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bash_oracle as oracle


def ask(sayso, lines, home):
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home, "XDG_CONFIG_HOME": home + "/.config",
           "XDG_STATE_HOME": home + "/.state", "XDG_RUNTIME_DIR": home + "/.run", "GIT_CONFIG_NOSYSTEM": "1"}
    p = subprocess.run([os.path.abspath(sayso), "explain", "--jsonl"], input="".join(json.dumps(l) + "\n" for l in lines),
                       capture_output=True, text=True, env=env, cwd=home, timeout=600)
    got = [json.loads(l) for l in p.stdout.splitlines() if l.strip().startswith("{")]
    if len(got) != len(lines):
        sys.exit(f"score_guard: {len(lines)} lines in, {len(got)} out (exit {p.returncode}): {p.stderr[-500:]}")
    return got


def lay(base, rec, n):
    """A fresh pair of repositories for one record that has its own setup; returns the box folder."""
    box = os.path.join(base, f"box{n}")
    shutil.copytree(oracle.make_template(base, rec.get("cwd_branch") or "main"), box, symlinks=True)
    for remote, name in (("origin.git", "repo"), ("other.git", "other")):
        oracle.git("config", "remote.origin.url", f"{box}/remotes/{remote}", cwd=f"{box}/{name}")
    sub = lambda s: s.replace("{{REPO}}", f"{box}/repo").replace("{{OTHER}}", f"{box}/other")
    setup = rec.get("setup") or {}
    for k, v in (setup.get("git_config") or {}).items():
        oracle.git("config", k, sub(v), cwd=f"{box}/repo")
    for k, v in (setup.get("files") or {}).items():
        p = f"{box}/home/{k[2:]}" if k.startswith("~/") else f"{box}/repo/{k}"
        os.makedirs(os.path.dirname(p), exist_ok=True)
        open(p, "w").write(sub(v))
        if v.startswith("#!"):
            os.chmod(p, 0o755)
    return box, sub


def triple(a, box):
    s = json.dumps([a.get("action"), a.get("target"), a.get("mode")])
    return s.replace(f"{box}/repo", "{{REPO}}").replace(f"{box}/other", "{{OTHER}}").replace(box, "/mnt")


def commands(a):
    recs = [json.loads(l) for l in open(a.corpus) if l.strip()]
    if a.cls:
        recs = [r for r in recs if r["class"] == a.cls]
    base = tempfile.mkdtemp(prefix="score-guard-")
    groups, shared = [], {}
    try:
        for n, r in enumerate(recs):
            key = None if r.get("setup") else (r.get("cwd_branch") or "main")
            if key is not None and key in shared:
                shared[key][1].append(r)
                continue
            g = (lay(base, r, n), [r])
            groups.append(g)
            if key is not None:
                shared[key] = g
        answers, t0 = {}, time.time()
        for (box, sub), rs in groups:
            lines = [{"id": r["id"], "kind": "command", "command": sub(r["command"]), "cwd": f"{box}/repo",
                      "env": (r.get("setup") or {}).get("env") or {}} for r in rs]
            for r, got in zip(rs, ask(a.sayso, lines, f"{box}/home")):
                answers[r["id"]] = (got, box)
        took = time.time() - t0
    finally:
        shutil.rmtree(base, ignore_errors=True)

    c, tot, shown = collections.defaultdict(collections.Counter), collections.Counter(), 0
    for r in recs:
        got, box = answers[r["id"]]
        acts = got.get("actions") or []
        said = bool(acts) or bool(got.get("opaque"))
        alts = [x for x in r.get("alt") or []]
        opaque_ok = any(x.get("action") == "opaque" for x in alts)
        wrong = None
        if r.get("either"):
            continue
        k = c[r["class"]]
        hard = r["class"] in ("beyond static", "script-file")
        grp = "hard" if hard else "harmless" if not r["expect"] else \
            "pushmerge" if any(x["action"] in ("push", "merge") for x in r["expect"]) else "stand"
        k[grp + "_n"] += 1; tot[grp + "_n"] += 1
        if not r["expect"]:
            c_ = r["command"]
            for kind, is_ in (("commit", "git commit" in c_ or "commit -" in c_), ("heredoc", "<<" in c_), ("dryrun", "--dry" in c_ or "dry_run" in c_ or "--check" in c_)):
                tot["ok_" + kind + "_n"] += is_; tot["ok_" + kind + "_stopped"] += is_ and said
            if said:
                k["harmless_stopped"] += 1; tot["harmless_stopped"] += 1; wrong = "false alarm"
        else:
            found = bool(acts) or (got.get("opaque") and opaque_ok) or (got.get("opaque") and hard)
            if not found:
                wrong = "missed"
            else:
                k[grp + "_found"] += 1; tot[grp + "_found"] += 1
                if acts:
                    want = {triple(x, box) for x in r["expect"]}
                    have = {triple(x, box) for x in acts}
                    also = {triple(x, box) for x in alts}
                    exact = have == want or (have <= want | also and len(have) == len(want))
                    tot["exact_n"] += 1; tot["exact"] += exact; k["exact_n"] += 1; k["exact"] += exact
                    tot["alone_n"] += 1; al = bool(got.get("alone")) == bool(r["alone"]); tot["alone"] += al
                    k["alone_n"] += 1; k["alone"] += al
                    if not exact: wrong = "inexact"
                    elif not al: wrong = "alone"
        if wrong and shown < a.show:
            shown += 1
            print(json.dumps({"id": r["id"], "class": r["class"], "wrong": wrong, "command": r["command"], "expect": r["expect"],
                              "alone": r["alone"], "got": {x: got.get(x) for x in ("actions", "opaque", "alone")}, "note": r.get("note", "")}))
    pct = lambda a_, n: f"{100 * a_ / n:5.1f}" if n else "    -"
    print(f"{'class':20} {'n':>4} found%  exact% alone% stopped%")
    for name in sorted(c):
        k = c[name]
        n = sum(k[g + "_n"] for g in ("pushmerge", "stand", "hard")); f = sum(k[g + "_found"] for g in ("pushmerge", "stand", "hard"))
        print(f"{name:20} {n + k['harmless_n']:4} {pct(f, n)}   {pct(k['exact'], k['exact_n'])}  {pct(k['alone'], k['alone_n'])}  {pct(k['harmless_stopped'], k['harmless_n'])}")
    rate = lambda x, n: round(100 * tot[x] / tot[n], 2) if tot[n] else None
    print(json.dumps({"pushmerge_found": rate("pushmerge_found", "pushmerge_n"), "stand_found": rate("stand_found", "stand_n"),
                      "hard_found_or_opaque": rate("hard_found", "hard_n"), "harmless_stopped": rate("harmless_stopped", "harmless_n"),
                      "harmless_commit_stopped": f'{tot["ok_commit_stopped"]}/{tot["ok_commit_n"]}', "harmless_heredoc_stopped": f'{tot["ok_heredoc_stopped"]}/{tot["ok_heredoc_n"]}', "harmless_dryrun_stopped": f'{tot["ok_dryrun_stopped"]}/{tot["ok_dryrun_n"]}',
                      "exact": rate("exact", "exact_n"), "alone": rate("alone", "alone_n"), "seconds": round(took, 2), "n": len(recs)}))


def simple(a, kind):
    recs = [json.loads(l) for l in open(a.corpus) if l.strip()]
    recs = [r for r in recs if not r.get("either")]
    home = tempfile.mkdtemp(prefix="score-guard-")
    try:
        if kind == "sql":
            got = ask(a.sayso, [{"id": r["id"], "kind": "sql", "sql": r["sql"], "client": r.get("client")} for r in recs], home)
        else:
            got = ask(a.sayso, [{"id": r["id"], "kind": "text", "text": "".join(r["parts"])} for r in recs], home)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    t, shown = collections.Counter(), 0
    for r, g in zip(recs, got):
        if kind == "sql":
            bad, said = r["expect"] != "read", g.get("sql") != "read"
        else:
            bad, said = r["expect"] == "secret", bool(g.get("secret"))
        t["bad_n" if bad else "ok_n"] += 1
        t["bad_found" if bad else "ok_stopped"] += said
        if said != bad and shown < a.show:
            shown += 1
            print(json.dumps({"id": r["id"], "expect": r["expect"], "got": g, "text": r.get("sql") or r.get("parts"), "note": r.get("note", "")}))
    print(json.dumps({"found": round(100 * t["bad_found"] / t["bad_n"], 2), "harmless_stopped": round(100 * t["ok_stopped"] / max(1, t["ok_n"]), 2), "n": len(recs)}))


if __name__ == "__main__":
    ap = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ap.add_argument("corpus")
    ap.add_argument("--sayso", default="target/release/sayso")
    ap.add_argument("--show", type=int, default=0, help="print so many wrong answers")
    ap.add_argument("--class", dest="cls")
    ap.add_argument("--sql", action="store_true")
    ap.add_argument("--secrets", action="store_true")
    args = ap.parse_args()
    simple(args, "sql") if args.sql else simple(args, "secrets") if args.secrets else commands(args)
