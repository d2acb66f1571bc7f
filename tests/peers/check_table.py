#!/usr/bin/env python3
"""Checks JSON certificates of endgame tables with the rules of chess from the PyPI package `chess` (python-chess).

    check_table.py CERTIFICATE.json… [--gaviota DIR]

The format, and the words used here, are those of docs/certificate-format.md. A certificate stores, for each state, one
byte (won, drawn or lost for the side to move, and in how many plies) and one move. Nothing in it is believed: the id, the
states, their moves and all counts are worked out again. No search is needed, because the equations that tie a state's
byte to the bytes of its successors have only one solution.

python-chess decides which moves are legal and whether a king is attacked; the rest is arithmetic on squares. Its
`Board.is_valid()` is not asked: it judges what can arise in a game, and a table holds every raw legal state.

With --gaviota each state is also compared with the Gaviota table of its class (DIR/kqk.gtb.cp4, …). Without it, or if
that table is missing, a line `NOT RUN: gaviota KQK` says so.

Exit code: 0 everything agrees, 1 something differs (printed as position, stored, found), 2 usage.
"""

import argparse
import base64
import functools
import hashlib
import itertools
import json
import pathlib
import re
import struct
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.gaviota

VERSION, KIND, KIND_NAME = 2, 1, "endgame-table"
RULESET = hashlib.sha256((pathlib.Path(__file__).parents[2] / "docs" / "ruleset.txt").read_bytes()).digest()
MAX_PAYLOAD, MAX_JSON = 2**24, 2**25
CLAIM = re.compile(r"endgame (KQK|KRK|KBK|KNK) board dtm")
UCI = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq]?)")
PROMOTIONS = ["", "n", "b", "r", "q"]
COUNTS = ("raw_states", "states", "edges", "legal_moves", "symmetry_comparisons", "checkmates", "stalemates")
SIDES, RESULTS = ("white", "black"), ("wins", "losses", "draws")
KEYS = {"format", "version", "kind", "ruleset", "id", "claim", "children", *COUNTS, "by_side", "max_dtm_plies", "max_dtm_states",
        "longest_line", "values", "policy"}
SHOWN = 5  # differences printed for one certificate

NO_MOVE, DRAWN = 0, 255
State = tuple[int, int, int, int]  # white king, white piece, black king, side to move (0 White, 1 Black)
SINK: State = (-1, -1, -1, -1)  # two bare kings: drawn, and no state of the table
Moves = list[tuple[chess.Move, State]]  # each legal move with the canonical state, or the sink, it leads to


class Malformed(ValueError):
    """The text is no certificate of this format, or not the one its id names."""


class Table(NamedTuple):
    """A well-formed certificate with the right id; what it says about chess is still to be checked."""
    material: str
    counts: dict[str, int]  # every counted field, in the order of the payload
    longest_line: list[int]
    values: bytes
    policy: list[int]


# Reading: strict JSON first, then the binary payload by hand, because the id is a hash of it.

def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    repeated = Counter(key for key, _ in pairs) - Counter(dict(pairs).keys())
    if repeated:
        raise Malformed(f"duplicate keys {list(repeated)!r:.80}")
    return dict(pairs)


def natural(number: str) -> int:
    if not number.isdecimal():
        raise Malformed(f"{number} is not a natural number")
    return int(number)


def typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:  # isinstance would let True pass as a number
        raise Malformed(f"{value!r:.40} is no {kind.__name__}")
    return value


def record(value: Any, keys: set[str]) -> dict[str, Any]:
    fields: dict[str, Any] = typed(value, dict)
    if fields.keys() != keys:
        raise Malformed(f"unknown or missing keys {sorted(fields.keys() ^ keys)!r:.200}")
    return fields


def from_base64(text: Any) -> bytes:
    data = base64.b64decode(typed(text, str), validate=True)
    if base64.b64encode(data).decode() != text:
        raise Malformed("base64 is not canonical")
    return data


def move_code(uci: Any) -> int:
    match = UCI.fullmatch(typed(uci, str))
    if match is None:
        raise Malformed(f"{uci!r:.40} is no move")
    start, end, promotion = match.groups()
    return chess.parse_square(start) + 64 * chess.parse_square(end) + 4096 * PROMOTIONS.index(promotion)


def flat_counts(document: dict[str, Any]) -> dict[str, int]:
    by_side = record(document["by_side"], set(SIDES))
    counts = {name: document[name] for name in COUNTS}
    for side in SIDES:
        results = record(by_side[side], set(RESULTS))
        counts |= {f"{side}_{name}": results[name] for name in RESULTS}
    counts |= {name: document[name] for name in ("max_dtm_plies", "max_dtm_states")}
    return {name: typed(count, int) for name, count in counts.items()}


def pack_bytes(data: bytes) -> bytes:
    return struct.pack("<Q", len(data)) + data


def pack_moves(codes: list[int]) -> bytes:
    return struct.pack(f"<Q{len(codes)}H", len(codes), *codes)


def parse(text: bytes) -> Table:
    if not text.startswith(b"{") or len(text) > MAX_JSON:
        raise Malformed("not a JSON object, or too long")
    document = json.loads(text.decode(), object_pairs_hook=unique_keys,
                          parse_int=natural, parse_float=natural, parse_constant=natural)
    header = [record(document, KEYS)["format"], typed(document["version"], int), document["kind"]]
    if header != ["dchess", VERSION, KIND_NAME]:
        raise Malformed(f"unknown format, version or kind: {header!r:.80}")
    if document["ruleset"] != "sha256:" + RULESET.hex():
        raise Malformed("another ruleset")
    claim = CLAIM.fullmatch(typed(document["claim"], str))
    if claim is None:
        raise Malformed(f"unknown claim {document['claim']!r:.80}")
    if document["children"] != []:
        raise Malformed("wrong children: a table of three men has none")
    counts = flat_counts(document)
    line = [move_code(uci) for uci in typed(document["longest_line"], list)]
    values = from_base64(document["values"])
    policy = [code for code, in struct.iter_unpack("<H", from_base64(document["policy"]))]
    payload = (pack_bytes(claim[0].encode()) + struct.pack("<Q", 0)  # no children
               + struct.pack("<13QHQ", *counts.values()) + pack_moves(line) + pack_bytes(values) + pack_moves(policy))
    found_id = "sha256:" + hashlib.sha256(struct.pack("<II", VERSION, KIND) + RULESET + payload).hexdigest()
    if len(payload) > MAX_PAYLOAD:
        raise Malformed(f"a payload of {len(payload)} bytes is too long")
    if document["id"] != found_id:
        raise Malformed(f"id mismatch: stored {document['id']!r:.80}, found {found_id}")
    return Table(claim[1], counts, line, values, policy)


# The game: states, symmetries, moves.

TRANSPOSED = [8 * chess.square_file(square) + chess.square_rank(square) for square in chess.SQUARES]
SYMMETRIES = [[square ^ flip for square in squares]  # 7 mirrors the files, 56 the ranks, 63 both; the first is identity
              for squares in (chess.SQUARES, TRANSPOSED) for flip in (0, 7, 56, 63)]


def images(state: State) -> list[State]:
    white_king, piece, black_king, side = state
    return [(image[white_king], image[piece], image[black_king], side) for image in SYMMETRIES]


@functools.cache
def canonical(state: State) -> State:
    return min(images(state))


def board_of(state: State, piece_type: chess.PieceType) -> chess.Board:
    white_king, piece, black_king, side = state
    board = chess.Board(None)
    board.set_piece_at(white_king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(piece, chess.Piece(piece_type, chess.WHITE))
    board.set_piece_at(black_king, chess.Piece(chess.KING, chess.BLACK))
    board.turn = SIDES[side] == "white"
    return board


def raw_legal_states(piece_type: chess.PieceType) -> Iterator[State]:
    """In the order of their tuples."""
    for white_king, piece, black_king in itertools.product(chess.SQUARES, repeat=3):
        if piece in (white_king, black_king) or chess.square_distance(white_king, black_king) <= 1:
            continue
        board = board_of((white_king, piece, black_king, 0), piece_type)
        if not board.is_attacked_by(chess.WHITE, black_king):
            yield white_king, piece, black_king, 0
        yield white_king, piece, black_king, 1  # only the black king could attack the white one, and it is not near


def after(state: State, move: chess.Move) -> State:
    white_king, piece, black_king, side = state
    if side == 1:
        return SINK if move.to_square == piece else (white_king, piece, move.to_square, 0)
    if move.from_square == white_king:
        return move.to_square, piece, black_king, 1
    return white_king, move.to_square, black_king, 1


def moves_of(state: State, board: chess.Board) -> Moves:
    reached = [(move, after(state, move)) for move in board.legal_moves]
    return [(move, SINK if following is SINK else canonical(following)) for move, following in reached]


# The checks.

def required_byte(following: set[int], in_check: bool) -> int:
    """The byte of a state, by the four equations, from the bytes of its successors."""
    if not following:
        return 0 if in_check else DRAWN
    lost = [byte for byte in following if byte % 2 == 0]
    if lost:
        return 1 + min(lost)  # compared as a number: 255 would be a win in 255 plies, which no byte says
    return DRAWN if DRAWN in following else 1 + max(following)


def best_move(moves: Moves, own: int, byte_of: dict[State, int]) -> int:
    """Of the optimal moves of a state with the byte `own`, the one with the smallest UCI text."""
    wanted = DRAWN if own == DRAWN else own - 1
    optimal = [move.uci() for move, following in moves if byte_of[following] == wanted]
    return move_code(min(optimal)) if optimal else NO_MOVE


def longest_line(state: State, plies: int, byte_of: dict[State, int], piece_type: chess.PieceType) -> list[int]:
    line = []
    for own in range(plies, 0, -1):
        line.append(best_move(moves_of(state, board_of(state, piece_type)), own, byte_of))
        state = after(state, chess.Move(line[-1] & 63, line[-1] >> 6))
    return line


def gaviota_byte(gaviota: chess.gaviota.PythonTablebase, board: chess.Board) -> int:
    """`probe_dtm` counts plies, below zero if the side to move loses; its 0 is a draw or a checkmate."""
    plies = gaviota.probe_dtm(board)
    return abs(plies) if plies or board.is_checkmate() else DRAWN


def show_move(code: int) -> str:
    promotion = f"={code >> 12}" if code >> 12 else ""
    return chess.SQUARE_NAMES[code & 63] + chess.SQUARE_NAMES[code >> 6 & 63] + promotion if code else "no move"


class Check:
    """One table under examination: what was found, and where it differs from what is stored."""

    def __init__(self, table: Table, gaviota: chess.gaviota.PythonTablebase | None) -> None:
        self.table, self.gaviota = table, gaviota
        self.piece_type = chess.PIECE_SYMBOLS.index(table.material[1].lower())
        self.byte_of: dict[State, int] = {SINK: DRAWN}
        self.found: Counter[str] = Counter()
        self.differences: list[str] = []

    def compare(self, what: str, stored: object, found: object, board: chess.Board | None = None) -> None:
        if stored != found:
            self.differences.append(f"{board.fen() + ': ' if board else ''}{what}: stored {stored}, found {found}")

    def check_table(self) -> None:
        values, policy, counts = self.table.values, self.table.policy, self.table.counts
        raw = list(raw_legal_states(self.piece_type))
        states = [state for state in raw if state == canonical(state)]
        known = set(states)
        self.compare("raw states with a canonical state", len(raw), sum(canonical(state) in known for state in raw))
        self.found.update(raw_states=len(raw), states=len(states))
        self.compare("states", counts["states"], len(states))
        self.compare("length of values", len(values), len(states))
        self.compare("length of policy", len(policy), len(states))
        if self.differences:
            return  # which value belongs to which state is not known
        self.byte_of.update(zip(states, values))
        for state, byte, code in zip(states, values, policy):
            self.check_state(state, byte, code)
        decided = [byte for byte in values if byte != DRAWN]
        plies = max(decided, default=0)
        self.found.update(max_dtm_plies=plies, max_dtm_states=decided.count(plies))
        for name, stored in counts.items():
            self.compare(name, stored, self.found[name])
        if not self.differences:  # along wrong values there is no optimal line
            line = longest_line(states[values.index(plies)], plies, self.byte_of, self.piece_type) if plies else []
            self.compare("longest line", list(map(show_move, self.table.longest_line)), list(map(show_move, line)))

    def check_state(self, state: State, stored: int, code: int) -> None:
        boards = [board_of(image, self.piece_type) for image in images(state)]
        moves, *mirrored = map(moves_of, images(state), boards)  # the first image is the state itself
        board, edges = boards[0], {following for _, following in moves}
        byte = required_byte({self.byte_of[following] for following in edges}, board.is_check())
        self.compare("value", stored, byte, board)
        self.compare("move", show_move(code), show_move(best_move(moves, byte, self.byte_of)), board)
        for image, image_moves in zip(boards[1:], mirrored):
            self.compare("successors as those of its image", edges, {following for _, following in image_moves}, image)
        self.found.update(edges=len(edges), legal_moves=len(moves), symmetry_comparisons=len(boards))
        self.found[f"{SIDES[state[3]]}_{'draws' if byte == DRAWN else 'wins' if byte % 2 else 'losses'}"] += 1
        if not moves:
            self.found["checkmates" if board.is_check() else "stalemates"] += 1
        if self.gaviota:
            self.compare("value in Gaviota", stored, gaviota_byte(self.gaviota, board), board)
            self.found["gaviota"] += 1


def check_file(path: Path, gaviota: chess.gaviota.PythonTablebase) -> bool:
    start = time.monotonic()
    try:
        with path.open("rb") as file:
            table = parse(file.read(MAX_JSON + 1))
    except (OSError, ValueError, struct.error, RecursionError) as error:
        print(f"DIFFERS {str(path)!r}: {error}")
        return False
    check = Check(table, gaviota if table.material.lower() in gaviota.available_tables else None)
    check.check_table()
    found, differences = check.found, check.differences
    print(f"{'DIFFERS' if differences else 'AGREES'} {str(path)!r} {table.material}: {found['states']} states, "
          f"{found['edges']} edges, {found['legal_moves']} moves compared, {found['gaviota']} states in Gaviota, "
          f"{time.monotonic() - start:.1f} s")
    if not found["gaviota"]:
        print(f"NOT RUN: gaviota {table.material}")
    for difference in differences[:SHOWN]:
        print(f"  {difference}")
    if len(differences) > SHOWN:
        print(f"  and {len(differences) - SHOWN} more")
    return not differences


def main() -> int:
    parser = argparse.ArgumentParser(description="Check JSON certificates of endgame tables with python-chess.")
    parser.add_argument("certificates", metavar="CERTIFICATE.json", type=Path, nargs="+")
    parser.add_argument("--gaviota", metavar="DIR", type=Path, help="folder of Gaviota tables (kqk.gtb.cp4, …)")
    arguments = parser.parse_args()
    gaviota = chess.gaviota.PythonTablebase()
    for path in arguments.certificates:
        if not path.exists():
            parser.error(f"no such file: {path}")
    if arguments.gaviota:
        if not arguments.gaviota.is_dir():
            parser.error(f"no such folder: {arguments.gaviota}")
        gaviota.add_directory(str(arguments.gaviota))
    return 0 if all([check_file(path, gaviota) for path in arguments.certificates]) else 1


if __name__ == "__main__":
    sys.exit(main())
