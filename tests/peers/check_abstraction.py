#!/usr/bin/env python3
"""Checks JSON certificates of abstractions with the rules of chess from the PyPI package `chess` (python-chess).

    check_abstraction.py CERTIFICATE.json…

The format, the features and the words used here are those of docs/certificate-format.md, kind 8. Classes of three men
without pawns are known here: they rest on no other tables. Nothing in a certificate is believed: the id, the states, their
moves, the block of each and every bound are worked out again.

Exit code: 0 everything agrees, 1 something differs (printed as position, block and what is wrong), 2 usage.
"""

import argparse
import hashlib
import json
import pathlib
import re
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import chess

from check_table import (SINK, Malformed, State, board_of, canonical, from_base64, images, moves_of,
                         natural, pack_bytes, raw_legal_states, record, typed, unique_keys)

VERSION, KIND, KIND_NAME = 2, 8, "abstraction"
RULESET = hashlib.sha256((pathlib.Path(__file__).parents[2] / "docs" / "ruleset.txt").read_bytes()).digest()
MAX_JSON, MAX_DEPTH, NO_RANK = 2**26, 4_096, 65_535
NUMBER = r"(0|[1-9]\d{0,9})"
CLAIM = re.compile(rf"abstraction (KQK|KRK|KBK|KNK) board horizon {NUMBER} decides {NUMBER} states in {NUMBER} blocks")
TEST = re.compile(r"(.*?) <= (0|[1-9]\d{0,2})", re.DOTALL)
KEYS = {"format", "version", "kind", "ruleset", "id", "claim", "children", "states", "edges", "tree", "lower", "upper", "ranks"}
MEN = ("wK", "w1", "w2", "w3", "bK", "b1")
CORNER_FIRST = {"wK": 0, "w1": 1, "bK": 2}  # the men of a state of three
SHOWN = 5


class Abstraction(NamedTuple):
    """A well-formed certificate with the right id; what it says about chess is still to be checked."""
    material: str
    horizon: int
    decided: int
    blocks: int
    states: int
    edges: int
    tree: list[str]
    lower: bytes
    upper: bytes
    ranks: list[int]


def parse(text: bytes) -> Abstraction:
    if not text.startswith(b"{") or len(text) > MAX_JSON:
        raise Malformed("not a JSON object, or too long")
    document: dict[str, Any] = json.loads(text.decode(), object_pairs_hook=unique_keys,
                                          parse_int=natural, parse_float=natural, parse_constant=natural)
    header = [record(document, KEYS)["format"], typed(document["version"], int), document["kind"]]
    if header != ["dchess", VERSION, KIND_NAME]:
        raise Malformed(f"unknown format, version or kind: {header!r:.80}")
    if document["ruleset"] != "sha256:" + RULESET.hex():
        raise Malformed("another ruleset")
    claim = CLAIM.fullmatch(typed(document["claim"], str))
    if claim is None or document["children"] != []:
        raise Malformed(f"unknown claim {document['claim']!r:.80}, or children")
    horizon, decided, blocks = (int(number) for number in claim.groups()[1:])
    if horizon % 2 == 0 or horizon > 255 or max(decided, blocks) >= 2**32:
        raise Malformed("unknown claim: its numbers")
    tree = [typed(line, str) for line in typed(document["tree"], list)]
    lower, upper, ranks = (from_base64(document[key]) for key in ("lower", "upper", "ranks"))
    if len(ranks) % 2 or not all(line.isascii() and line.isprintable() for line in tree):
        raise Malformed("ranks or lines of the tree")
    lists = b"".join(pack_bytes(line.encode()) for line in tree)
    counts = [typed(document["states"], int), typed(document["edges"], int)]
    payload = (pack_bytes(claim[0].encode()) + struct.pack("<4Q", 0, *counts, len(tree)) + lists
               + pack_bytes(lower) + pack_bytes(upper) + struct.pack("<Q", len(ranks) // 2) + ranks)
    found_id = "sha256:" + hashlib.sha256(struct.pack("<II", VERSION, KIND) + RULESET + payload).hexdigest()
    if document["id"] != found_id:
        raise Malformed(f"id mismatch: stored {document['id']!r:.80}, found {found_id}")
    numbers = [number for number, in struct.iter_unpack("<H", ranks)]
    return Abstraction(claim[1], horizon, decided, blocks, *counts, tree, lower, upper, numbers)


# Features. A position is looked at in its oriented placement, so that all images have the same values.

class View:
    """A state as its features see it."""

    def __init__(self, state: State, piece_type: chess.PieceType, moves: int) -> None:
        oriented = min(images(state), key=lambda image: (image[2], image[0], image[1]))
        self.square = {man: oriented[place] for man, place in CORNER_FIRST.items()}
        self.board = board_of(oriented, piece_type)
        self.side, self.moves = state[3], moves

    def xy(self, man: str) -> tuple[int, int]:
        return chess.square_file(self.square[man]), chess.square_rank(self.square[man])

    def king(self, man: str, own: bool) -> str:
        return "wK" if (man[0] == "w") == own else "bK"

    def attackers(self, color: str, square: int) -> int:
        return len(self.board.attackers(color == "w", square))

    def free(self, king: str) -> chess.SquareSet:
        """The squares that a king may step on, wherever it is."""
        board = self.board.copy(stack=False)
        board.remove_piece_at(self.square[king])
        own = king[0] == "w"
        return chess.SquareSet(square for square in chess.SQUARES
                               if not board.is_attacked_by(not own, square) and board.color_at(square) is not own)

    def region(self, king: str) -> chess.SquareSet:
        free, region = self.free(king), chess.SquareSet([self.square[king]])
        front = region
        while front:
            near = chess.SquareSet()
            for square in front:
                near |= chess.SquareSet(chess.BB_KING_ATTACKS[square])
            front = near & free - region
            region |= front
        return region

    def is_check(self) -> bool:
        king, other = ("wK", "b") if self.side == 0 else ("bK", "w")
        return self.attackers(other, self.square[king]) > 0


def margin(coordinate: int) -> int:
    return min(coordinate, 7 - coordinate)


def gap(view: View, a: str, b: str) -> tuple[int, int]:
    (ax, ay), (bx, by) = view.xy(a), view.xy(b)
    return abs(ax - bx), abs(ay - by)


def opposition(view: View) -> int:
    return {(0, 2): 1, (1, 2): 2}.get(tuple(sorted(gap(view, "wK", "bK"))), 0)


def between(view: View, man: str, axis: int) -> int:
    own, one, other = view.xy(man)[axis], view.xy("wK")[axis], view.xy("bK")[axis]
    return 1 if own in (one, other) else 0 if min(one, other) < own < max(one, other) else 2


def box(view: View, man: str) -> int:
    sides = [own if king < own else 7 - own if king > own else 8
             for own, king in zip(view.xy(man), view.xy(view.king(man, False)))]
    return sides[0] * sides[1]


def siege(view: View, man: str) -> int:
    king = view.square[view.king(man, False)]
    return len(view.board.attacks(view.square[man]) & chess.SquareSet(chess.BB_KING_ATTACKS[king]))


def protected(view: View, man: str) -> int:
    return view.attackers(man[0], view.square[man])


def attacked(view: View, man: str) -> int:
    return view.attackers("b" if man[0] == "w" else "w", view.square[man])


def steps(view: View, king: str) -> int:
    return len(view.free(king) & chess.SquareSet(chess.BB_KING_ATTACKS[view.square[king]]))


POSITION: dict[str, Callable[[View], int]] = {
    "side": lambda view: view.side,
    "end": lambda view: 0 if view.moves else 1 if view.is_check() else 2,
    "en_passant": lambda view: 0,
    "check": lambda view: int(view.is_check()),
    "moves": lambda view: view.moves,
    "opposition": opposition,
    "kings_parity": lambda view: sum(gap(view, "wK", "bK")) % 2,
}
ONE: dict[str, Callable[[View, str], int]] = {
    "file": lambda view, man: 1 + view.xy(man)[0],
    "rank": lambda view, man: 1 + view.xy(man)[1],
    "edge": lambda view, man: min(map(margin, view.xy(man))),
    "corner": lambda view, man: max(map(margin, view.xy(man))),
    "siege": siege,
}
KING: dict[str, Callable[[View, str], int]] = {
    "room": steps,
    "region": lambda view, man: len(view.region(man)),
}
PIECE: dict[str, Callable[[View, str], int]] = {
    "protected": protected,
    "attacked": attacked,
    "loose": lambda view, man: int(attacked(view, man) > 0 and protected(view, man) == 0),
    "mobility": lambda view, man: len(view.board.attacks(view.square[man])),
    "files_between": lambda view, man: between(view, man, 0),
    "ranks_between": lambda view, man: between(view, man, 1),
    "box": box,
    **{pawn: lambda view, man: 0 for pawn in ("catch", "escort", "block", "lead")},
}
PAIR: dict[str, Callable[[View, str, str], int]] = {
    "distance": lambda view, a, b: max(gap(view, a, b)),
    "steps": lambda view, a, b: sum(gap(view, a, b)),
    "files": lambda view, a, b: gap(view, a, b)[0],
    "ranks": lambda view, a, b: gap(view, a, b)[1],
}


def feature(name: str) -> Callable[[View], int]:
    """The feature that is written so."""
    kind, *men = name.split(" ")
    is_known = (not men and kind in POSITION
                or len(men) == 1 and (men[0] in MEN and kind in ONE or men[0] in ("wK", "bK") and kind in KING
                                      or men[0] in ("w1", "w2", "w3", "b1") and kind in PIECE)
                or len(men) == 2 and kind in PAIR and all(man in MEN for man in men)
                and MEN.index(men[0]) < MEN.index(men[1]))
    if not is_known:
        raise Malformed(f"unknown feature {name!r:.60}")
    if not all(man in CORNER_FIRST for man in men):
        return lambda view: 0  # the man is not there
    value = {**POSITION, **ONE, **KING, **PIECE, **PAIR}[kind]
    return lambda view: value(view, *men)  # type: ignore[call-arg]


class Node(NamedTuple):
    """A question with what follows for yes and for no, or a leaf with its number."""
    name: str
    most: int
    yes: Any
    no: Any


def read_tree(lines: list[str]) -> tuple[Any, int]:
    """The tree, and how many leaves it has. From the last line back, so that what follows a question is there."""
    depths, open_depths = [], [0]
    for line in lines:
        if not open_depths:
            raise Malformed("malformed tree: a line too many")
        depth = open_depths.pop()
        if depth > MAX_DEPTH:
            raise Malformed("tree too deep")
        depths.append(depth)
        if line != "leaf":
            open_depths += [depth + 1, depth + 1]
    if open_depths:
        raise Malformed("malformed tree: a line too few")
    leaf, done = lines.count("leaf"), []
    leaves = leaf
    for line in reversed(lines):
        if line == "leaf":
            leaf -= 1
            done.append(leaf)
            continue
        test = TEST.fullmatch(line)
        if test is None or int(test[2]) > 255:
            raise Malformed(f"malformed tree: {line!r:.60}")
        feature(test[1])
        yes, no = done.pop(), done.pop()
        done.append(Node(test[1], int(test[2]), yes, no))
    return done[0], leaves


# The check.

INFINITE = 10**9


def reach(first: list[int], successors: list[list[int]], is_own: list[bool], horizon: int, sink: int) -> list[int]:
    """m_K of the page: the least number that a side can force to be met within so many plies, one at least."""
    met, after = [*first, sink], [INFINITE] * len(first)
    for _ in range(horizon):
        after = [INFINITE if not following else
                 (min if own else max)(met[number] for number in following)
                 for following, own in zip(successors, is_own)]
        met = [*map(min, first, after), sink]
    return after


def check(certificate: Abstraction) -> list[str]:
    piece_type = chess.PIECE_SYMBOLS.index(certificate.material[1].lower())
    tree, leaves = read_tree(certificate.tree)
    lower, upper = ([bound - 1 for bound in bounds] for bounds in (certificate.lower, certificate.upper))
    ranks = certificate.ranks
    if not leaves == certificate.blocks == len(lower) == len(upper) == len(ranks):
        return ["wrong number of blocks"]
    for block, (low, high, rank) in enumerate(zip(lower, upper, ranks)):
        if not -1 <= low <= high <= 1 or (0 < rank < NO_RANK) != (low == 1 or high == -1) or rank == 0:
            return [f"block {block}: wrong interval or rank: {low} {high} {rank}"]
    states = [state for state in raw_legal_states(piece_type) if state == canonical(state)]
    number = {state: place for place, state in enumerate(states)} | {SINK: len(states)}
    successors, blocks, ends = [], [], []
    features = {line.split(" <= ")[0]: feature(line.split(" <= ")[0]) for line in certificate.tree if line != "leaf"}
    for state in states:
        board = board_of(state, piece_type)
        moves = moves_of(state, board)
        successors.append(sorted({number[following] for _, following in moves}))
        view, known, node = View(state, piece_type, len(moves)), {}, tree
        while isinstance(node, Node):
            if node.name not in known:
                known[node.name] = features[node.name](view)
            node = node.yes if known[node.name] <= node.most else node.no
        blocks.append(node)
        ends.append(None if moves else 0 if not board.is_check() else 1 if state[3] == 1 else -1)
    wrong = []
    seen: dict[int, set[int]] = {}
    for state, block in zip(states, blocks):
        seen.setdefault(block, set()).add(state[3])
    wrong += [f"block {block}: no state, or both sides" for block in range(leaves) if len(seen.get(block, ())) != 1]
    for color, sign in ((0, 1), (1, -1)):  # White, Black
        own_bound = [low if sign == 1 else -high for low, high in zip(lower, upper)]
        is_own = [state[3] == color for state in states]
        wins = [0 if end == sign else ranks[block] if end is None and own_bound[block] == 1 else INFINITE
                for end, block in zip(ends, blocks)]
        holds = [0 if (own_bound[block] >= 0 if end is None else end * sign >= 0) else INFINITE
                 for end, block in zip(ends, blocks)]
        winning = reach(wins, successors, is_own, certificate.horizon, INFINITE)
        holding = reach(holds, successors, is_own, certificate.horizon, 0)
        for place, (state, block, end) in enumerate(zip(states, blocks, ends)):
            bound = own_bound[block]
            good = (end * sign >= bound if end is not None else
                    winning[place] < ranks[block] if bound == 1 else holding[place] == 0 if bound == 0 else True)
            if not good:
                wrong.append(f"{board_of(state, piece_type).fen()}: block {block}, bound {bound} of colour {color}")
    decided = sum(lower[block] == upper[block] for block in blocks)
    edges = sum(map(len, successors))
    for name, stored, found in (("states", certificate.states, len(states)), ("edges", certificate.edges, edges),
                                ("decided", certificate.decided, decided)):
        if stored != found:
            wrong.append(f"{name}: stored {stored}, found {found}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Check JSON certificates of abstractions with python-chess.")
    parser.add_argument("certificates", metavar="CERTIFICATE.json", type=Path, nargs="+")
    failed = False
    for path in parser.parse_args().certificates:
        start = time.monotonic()
        try:
            certificate = parse(path.read_bytes())
            wrong = check(certificate)
        except (OSError, ValueError, struct.error, RecursionError) as error:
            wrong = [str(error)]
        else:
            seconds = time.monotonic() - start
            print(f"{'DIFFERS' if wrong else 'AGREES'} {str(path)!r} {certificate.material}: {certificate.blocks} blocks, "
                  f"{certificate.decided} of {certificate.states} states decided, {seconds:.1f} s")
        for line in wrong[:SHOWN]:
            print(f"  {line}")
        failed |= bool(wrong)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
