#!/usr/bin/env python3
"""Checks which directory includes which, and that there are no cycles. Run by ctest; also: python3 e2e/structure/directions.py"""
import pathlib, re, subprocess, sys

ENGINE = ("services/mover-orchestration", "services/scheduler", "services/maintenance-lease", "services/gateway")
RULES = ("services/systems/kopiur/rules",)  # the rules for Kopiur's objects that services share
# A directory, and what its files may include besides their own; the longest match counts. Tests may include anything: they are not checked.
MAY = {
    "common": ("common",),
    "common/kubernetes": ("common/app", "common/config", "common/encoding", "common/http", "common/json", "common/kubernetes",
                          "common/process", "common/time"),  # a client for anybody: no bus, and nothing of kopiur
    "proto": ("common", "proto"),
    "proto/core": ("common", "proto/core", "proto/describe.hpp", "proto/schema/notes.hpp"),
    "services/controller/core": ("common", "proto", "services/controller/core"),
    "services/controller/shell": ("common", "proto", "services/controller"),
    "services/systems/systems.": ("services/controller/core", "services/systems"),
    "services/retention": ("common", "proto", "services/controller", "services/runtime", "services/retention") + RULES,
    "services/retention/shell": ("common", "proto", "services/controller", "services/runtime", "services/retention",
                                 "services/systems/systems.hpp"),  # which finished objects each system has
    "services/catalog-discovery": ("common", "proto", "services/controller", "services/runtime", "services/catalog-discovery",
                                   "services/retention/core") + RULES,  # retention's core decides which discovered Backups are too many
    "services/executor": ("common", "services/executor"),  # a small program: no kinds, no bus
    "services/mover": ("common", "proto", "services/mover"),
    "services/runtime": ("common", "proto", "services/controller", "services/runtime"),
}
for each in pathlib.Path("services/systems").iterdir():
    if each.is_dir():
        MAY[str(each)] = ("common", "proto", "services/controller/core", str(each))
for each in ENGINE:
    MAY[each] = ("common", "proto", "services/controller", "services/runtime", "services/systems/systems.hpp", each)

INCLUDE = re.compile(r'^\s*#include "((?:common|proto|services)/[^"]+)"', re.M)


def module(path):
    """The module of a file: the directory that has one README."""
    parts = path.split("/")
    if parts[0] == "services" and parts[1] == "systems":
        return "/".join(parts[:3]) if len(parts) > 3 else "services/systems"
    if parts[0] == "services":
        return "/".join(parts[:3]) if parts[1] == "controller" else "/".join(parts[:2])
    return parts[0] if parts[0] == "proto" else "/".join(parts[:2])


def sources():
    listed = subprocess.run(["git", "ls-files", "common", "proto", "services"], capture_output=True, text=True).stdout.split()
    found = listed or [str(p) for top in ("common", "proto", "services") for p in pathlib.Path(top).rglob("*") if p.is_file()]
    return [f for f in found if f.endswith((".cpp", ".hpp")) and "/test/" not in f and not f.startswith("common/testing/")]


def main():
    wrong, edges = [], {}
    for file in sources():
        rule = max((d for d in MAY if file.startswith(d)), key=len, default=None)
        for what in INCLUDE.findall(pathlib.Path(file).read_text()):
            if rule and not what.startswith(MAY[rule]):
                wrong.append(f"{file} includes {what}: {rule} may include {', '.join(MAY[rule])} alone")
            if module(what) != module(file):
                edges.setdefault(module(file), {}).setdefault(module(what), f"{file} -> {what}")
    done, path = set(), []

    def visit(at):
        if at in path:
            around = path[path.index(at):] + [at]
            wrong.append("a cycle: " + "; ".join(edges[a][b] for a, b in zip(around, around[1:])))
            return
        if at in done:
            return
        path.append(at)
        for to in edges.get(at, {}):
            visit(to)
        path.pop()
        done.add(at)

    for start in list(edges):
        visit(start)
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
