#!/usr/bin/env python3
"""mix_guard: random mixes of labelled commands, read by the guard and run by real bash.

A mix joins pieces of tests/corpus/guard_commands.jsonl with own harmless pieces (`;`, `&&`, `||`, `|`, `&`, line breaks)
and wraps them (substitutions, shells in shells, functions, loops, branches, here-documents, variables, quotes). Real bash
runs each mix in the sandbox of bash_oracle.py; `sayso explain --jsonl` reads it. Printed are

  missed    bash pushed, and the guard saw neither an action nor a part that it could not read: each of them is a fault
  stopped   bash did not push, and the guard stopped the mix. A push behind a test that fails is rightly seen, so these are
            only counted, but for mixes of harmless pieces alone: those are faults too

  mix_guard.py --sayso target/debug/sayso --seed 1 --count 2000 [--jobs 2] [--show 20] [--out FILE]

Exit code 1 when there was a fault, 3 when the sandbox cannot be had here.
"""
import argparse
import concurrent.futures as futures
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import bash_oracle as oracle  # noqa: E402

CORPUS = os.path.join(HERE, "..", "corpus", "guard_commands.jsonl")
BASH = shutil.which("bash") or "/bin/bash"
BASH_LINE = 'shopt -s expand_aliases; eval "$1"'

HARMLESS = [
    "true",
    "ls -la",
    "git status --short",
    "git log --oneline -3",
    'echo "git push origin main"',
    "printf '%s\\n' 'git push'",
    "x='git push'; echo \"$x\"",
    "grep -rn 'git push' README.md",
    "# git push origin main",
    "cat README.md | head -1",
    "git diff --stat",
    "git stash list",
    "test -d src && echo yes",
    "cd src; cd ..",
    "mkdir -p out && touch out/push",
    "git commit --allow-empty -m 'Say how to git push'",
    "git push --dry-run origin main",
    "cat <<'EOF'\ngit push origin main\nEOF",
    "git commit --allow-empty -F - <<'EOF'\nDon't `git push` \"yet\"\nEOF",
    'for f in a b; do echo "$f push"; done',
    "if [ -f README.md ]; then echo there; fi",
    'n=$((1 + 2)); echo "$n"',
    "git branch --list 'push*'",
    "export PUSH_LATER=1",
    ': "$(git rev-parse HEAD)"',
    "f_later() { git push origin main; }",
    "alias later='git push'",
    "case push in pull) echo no;; esac",
    "git config --get remote.origin.url",
    'set -- a b; shift; echo "$1"',
    'arr=(git status); "${arr[@]}" > /dev/null',
    "while read -r l; do echo \"$l\"; done <<< 'git push'",
    "IFS=, read -r a b <<< 'git,push'; echo \"$a\"",
]


def single(text):
    return "'" + text.replace("'", "'\\''") + "'"


def double(text):
    return '"' + "".join("\\" + c if c in '\\"$`' else c for c in text) + '"'


def quoted(r, text):
    return r.choice([single, double])(text)


def balanced(text):
    """Texts with brackets that only quotes balance are left to the corpus' own cases."""
    return text.count("(") == text.count(")") and "esac" not in text


def fill(shapes, fits=lambda text: True):
    """A wrapper by shapes with one %s, the part put in as it is."""
    def wrap(r, part):
        return r.choice(shapes).replace("%s", part) if fits(part) else None
    return wrap


def fill_quoted(shapes, fits=lambda text: True):
    """A wrapper by shapes with one %s, the part put in as one word."""
    def wrap(r, part):
        return r.choice(shapes).replace("%s", quoted(r, part)) if fits(part) else None
    return wrap


def without(*words):
    return lambda text: not any(word in text for word in words)


WRAPS = {
    "subshell": fill(["(\n%s\n)"]),
    "group": fill(["{\n%s\n}", "time {\n%s\n}", "{\n%s\n} > /dev/null 2>&1"]),
    "bash -c": fill_quoted(["bash -c %s", "bash -ec %s", "sh -c %s", "bash --norc -c %s", "bash -c 'eval \"$1\"' _ %s"]),
    "eval": fill_quoted(["eval %s", "cmd=%s\neval \"$cmd\"", "c1=%s; eval \"$c1\"", "cmd=%s; bash -c \"$cmd\""]),
    "function": fill(["go() {\n%s\n}\ngo", "function ship_it {\n%s\n}\nship_it", "g() (\n%s\n)\ng"]),
    "if": fill(["if true; then\n%s\nfi", "if [ -d .git ]; then\n%s\nfi", "if ! false; then\n%s\nfi",
                "if false; then\n:\nelse\n%s\nfi"]),
    "case": fill(["case a in\na)\n%s\n;;\nesac"], without("esac")),
    "loop": fill(["for i in 1; do\n%s\ndone", "while :; do\n%s\nbreak\ndone", "for i in {1..1}; do\n%s\ndone"]),
    "here-document": fill(["bash <<'EOM'\n%s\nEOM", "sh <<'EOM'\n%s\nEOM", "bash -s <<'EOM'\n%s\nEOM",
                           "cat <<'EOM' | bash\n%s\nEOM", "eval \"$(cat <<'EOM'\n%s\nEOM\n)\""], without("EOM")),
    "text into a shell": fill_quoted(["printf '%s\\n' %s | bash".replace("'%s", "'@"), "bash <<< %s", "echo %s | sh",
                                      "source <(printf '@\\n' %s)", "bash <(printf '@\\n' %s)"]),
    "substitution": fill(["x=$(\n%s\n)", "echo \"$(\n%s\n)\"", ": $(\n%s\n)", "y=\"${z:-$(\n%s\n)}\"",
                          "cat <(\n%s\n) > /dev/null", "[[ -n $(\n%s\n) ]]"], balanced),
    "trap": fill_quoted(["( trap %s EXIT )"]),
    "array": fill_quoted(["parts=(bash -c %s); \"${parts[@]}\"", "set -- bash -c %s; \"$@\""]),
    "branches": fill_quoted(["if [ -d .git ]; then w=%s; else w=true; fi; eval \"$w\"", "w=true; [ -d src ] && w=%s\neval \"$w\""]),
    "read": fill(["while IFS= read -r line; do eval \"$line\"; done <<'EOR'\n%s\nEOR"], without("\n", "\\")),
    "script": fill(["cat > s1.sh <<'EOS'\n%s\nEOS\nbash s1.sh", "cat > s2.sh <<'EOS'\n%s\nEOS\n. ./s2.sh"], without("EOS")),
    "behind": fill(["# git status, then\n%s", "echo '" + "x" * 900 + "' > /dev/null\n%s"]),
}
JOINS = [";", "\n", "\n", " && ", " || ", " | ", " & ", "; "]


def wrapped(r, text, how):
    name = r.choice(list(WRAPS))
    made = WRAPS[name](r, text)
    if made is None or len(made) > 12000:
        return text
    how.append(name)
    return made.replace("'@\\n'", "'%s\\n'")


def pieces():
    """The corpus' commands that the sandbox can run and whose own run is known: pushes and harmless ones."""
    pushes, harmless = [], list(HARMLESS)
    with open(CORPUS, encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record.get("either") or record.get("setup") or len(record["command"]) > 2000:
                continue
            kinds = {expected["action"] for expected in record["expect"]}
            if not kinds and record.get("oracle") == "not-run":
                harmless.append(record["command"])
            elif kinds == {"push"} and record.get("oracle") == "ran" and not record.get("alt"):
                pushes.append(record["command"])
    return pushes, harmless


def open_end(text):
    """Whether something behind the text on its last line would change it."""
    return "<<" in text or "#" in text.split("\n")[-1] or text.rstrip().endswith(("\\", "&", ";", "|"))


def mix(r, pushes, harmless):
    """One mix, how it came about, and whether any of its pieces pushes."""
    text, how, guarded = None, [], False
    for _ in range(r.randrange(1, 4)):
        push = r.random() < 0.45
        guarded |= push
        part = r.choice(pushes if push else harmless)
        for _ in range(r.choice([0, 0, 1, 1, 2])):
            part = wrapped(r, part, how)
        if text is None:
            text = part
        else:
            text += ("\n" if open_end(text) else r.choice(JOINS)) + part
    if r.random() < 0.25:
        text = wrapped(r, text, how)
    return text, how, guarded


def accepted(text):
    """Whether bash takes it for a text that it can read. It runs nothing: the text comes in as a file under -n."""
    done = subprocess.run([BASH, "-n", "-O", "extglob", "/dev/stdin"], input=text, capture_output=True, text=True, check=False,
                          env={"PATH": "/nonexistent"})
    return done.returncode == 0 and not done.stderr


def mixes(seed, count):
    r = random.Random(seed)
    pushes, harmless = pieces()
    out = []
    while len(out) < count:
        text, how, guarded = mix(r, pushes, harmless)
        if "\0" not in text and accepted(text):
            out.append({"id": str(len(out)), "command": text, "how": how, "has_push": guarded})
    return out


def asked(sayso, records, box):
    """What the guard says of each."""
    def laid(text):
        return text.replace("{{REPO}}", box + "/repo").replace("{{OTHER}}", box + "/other")
    lines = [json.dumps({"id": r["id"], "kind": "command", "command": laid(r["command"]), "cwd": box + "/repo"}) for r in records]
    env = {"PATH": os.environ.get("PATH", os.defpath), "HOME": box + "/home"}
    done = subprocess.run([sayso, "explain", "--jsonl"], input="\n".join(lines), capture_output=True, text=True, env=env,
                          cwd=box + "/repo", check=True)
    return {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}


def both(a):
    """The mixes, what the guard says and what bash did."""
    records = mixes(a.seed, a.count)
    base = tempfile.mkdtemp(prefix="mix-guard-")
    try:
        box = oracle.make_template(base, "main")
        probe = oracle.run_one({"command": "git push origin HEAD:probe"}, base, a.limit, BASH_LINE)
        if not oracle.git_pushed(probe):
            print("mix_guard: no sandbox here: " + probe["stderr"][-200:].replace("\n", " "), file=sys.stderr)
            sys.exit(3)
        said = asked(a.sayso, records, box)
        with futures.ThreadPoolExecutor(a.jobs) as pool:
            ran = list(pool.map(lambda r: oracle.run_one(r, base, a.limit, BASH_LINE), records))
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return [(record, said[record["id"]], out) for record, out in zip(records, ran)]


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("--sayso", required=True)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--count", type=int, default=100)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--limit", type=float, default=8)
    ap.add_argument("--show", type=int, default=20)
    ap.add_argument("--out", help="write every mix with both answers as JSON lines")
    a = ap.parse_args()
    count = {"pushed": 0, "missed": 0, "only_held": 0, "not_pushed": 0, "stopped": 0, "harmless": 0, "harmless_stopped": 0}
    faults, log = [], []
    for record, answer, out in both(a):
        guarded, pushed = bool(answer["actions"]) or answer["opaque"], oracle.git_pushed(out)
        count["pushed" if pushed else "not_pushed"] += 1
        count["missed"] += pushed and not guarded
        count["only_held"] += pushed and not answer["actions"] and guarded
        count["stopped"] += guarded and not pushed
        if not record["has_push"]:
            count["harmless"] += 1
            count["harmless_stopped"] += guarded and not pushed
        if (pushed and not guarded) or (guarded and not pushed and not record["has_push"]):
            faults.append({"missed" if pushed else "stopped": record["command"], "how": record["how"],
                           "said": answer["reasons"] or [x["target"] for x in answer["actions"]]})
        log.append({**record, "pushed": pushed, "guarded": guarded, "answer": answer, "stderr": out["stderr"]})
    for fault in faults[:a.show]:
        print(json.dumps(fault))
    if a.out:
        with open(a.out, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in log)
    print(json.dumps({"seed": a.seed, "mixes": len(log), **count}))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
