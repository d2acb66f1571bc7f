#!/usr/bin/env python3
"""Plays games of the complete rules with the package `chess`, and compares every state with what dchess says of it.

    python check_states.py DCHESS [--games N] [--seed S]

Random games, half of them to and fro so that positions come again and clocks run up, and games made by hand. Of every
ply are compared: the position, the clock, how often the position has occurred (counted over the whole game, so that a
state that forgets too much is noticed), all claims with and without an intended move, and how the game ends.

Where the package reads the Laws otherwise, this is expected and counted; docs/rules.md explains it:
- an intended move that ends the game (mate, stalemate) brings the clock to 100: a claim here (9.3.1), none there;
- a position is dead for other reasons than the material: an end here (5.2.2), none there.
"""

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
import time

import chess
import chess.pgn

HAND_MADE = [
    # (FEN or None, moves, the claims at the end as (rule, move); "fifty": some, all of that rule)
    (None, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", [("threefold", None), ("threefold", "g1f3")]),
    (None, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", [("threefold", "f6g8")]),
    # The intended move makes the position occur for the fourth time.
    (None, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1", [("threefold", "c6b8")]),
    # A double step that can be captured is another position, one that cannot is the same.
    (None, "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8", [("threefold", "f3g1")]),
    (None, "e4 a6 e5 d5 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1", []),
    # The right to castle is lost with the first move of the king; only from then on positions are the same.
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Ke2 Ke7 Ke1 Ke8 Ke2 Ke7 Ke1 Ke8 Ke2 Ke7",
     [("threefold", None), ("threefold", "e2e1")]),
    ("8/8/8/4k3/8/8/P7/K6R w - - 98 90", "Rh2", "fifty"),
    ("8/8/8/4k3/8/8/P7/K6R w - - 99 90", "Rh2", "fifty"),
    # The move that would mate brings the clock to 100 as well.
    ("7k/8/6K1/8/8/8/8/R7 w - - 99 90", "", "fifty"),
    # Black has no move wherever White goes: the package sees no claim.
    ("7k/5QR1/7P/6R1/8/3B4/4K3/8 w - - 99 90", "", "fifty"),
    ("7k/8/6K1/8/8/8/8/R7 w - - 149 120", "Ra8#", []),
    ("7k/8/6K1/8/8/8/8/R7 w - - 149 120", "Ra7", []),
]


def choose(board, last, to_and_fro, chance):
    """A move by chance; to and fro prefers the way back and spares pawns and men."""
    moves = sorted(board.legal_moves, key=chess.Move.uci)
    if to_and_fro:
        back = last and chess.Move(last.to_square, last.from_square)
        if back in moves and chance.random() < 0.5:
            return back
        quiet = [move for move in moves if not board.is_zeroing(move)]
        if quiet and chance.random() < 0.94:
            return chance.choice(quiet)
    return chance.choice(moves)


def random_game(chance, to_and_fro):
    board = chess.Board()
    last = [None, None]
    while not board.is_game_over():
        move = choose(board, last[board.turn], to_and_fro, chance)
        last[board.turn] = move
        board.push(move)
    return board


def made_game(fen, moves):
    board = chess.Board(fen) if fen else chess.Board()
    for san in moves.split():
        board.push_san(san)
    return board


def key(board):
    """Men, side to move, castling rights, and the en-passant square if the capture is legal (9.2.3)."""
    square = board.ep_square if board.has_legal_en_passant() else None
    white = board.occupied_co[chess.WHITE]
    men = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    return board.occupied, white, men, board.turn, board.castling_rights, square


def terminal(board, count):
    if board.is_checkmate():
        return "checkmate"
    if board.is_stalemate():
        return "stalemate"
    if board.is_insufficient_material():
        return "dead"
    if count >= 5:
        return "fivefold"
    if board.halfmove_clock >= 150:
        return "seventy-five"
    return None


def claims(board, counts):
    """The claims by the Laws, with the package's moves and keys."""
    found = []
    if counts[key(board)] >= 3:
        found.append(("threefold", None))
    if board.halfmove_clock >= 100:
        found.append(("fifty-move", None))
    if board.halfmove_clock < 99 and max(counts.values()) < 2:
        return found
    for move in sorted(board.legal_moves, key=chess.Move.uci):
        if board.is_zeroing(move):
            continue
        board.push(move)
        if counts[key(board)] + 1 >= 3:
            found.append(("threefold", move.uci()))
        if board.halfmove_clock >= 100:
            found.append(("fifty-move", move.uci()))
        board.pop()
    return found


def compare(board, told, differences):
    """Compares a game, move by move, with the lines that dchess printed for it."""
    replay = board.root()
    counts = collections.Counter()
    moves = list(board.move_stack)
    assert len(told) == len(moves) + 1, f"{len(told)} states of {len(moves) + 1}"
    for ply, state in enumerate(told):
        counts[key(replay)] += 1
        here = f"ply {ply}, {state['fen']}"
        assert state["fen"] == replay.fen(en_passant="legal"), f"{here}: {replay.fen()}"
        assert state["h"] == replay.halfmove_clock, here
        assert state["occurrences"][0]["count"] == counts[key(replay)], f"{here}: {counts[key(replay)]}"
        end = terminal(replay, counts[key(replay)])
        if state["terminal"] != end and state["terminal"] == "dead":
            differences["dead, not by material"] += 1
        else:
            assert state["terminal"] == end, f"{here}: {state['terminal']} {end}"
            ours = [(claim["rule"], claim["move"]) for claim in state["claims"]]
            theirs = [] if end else claims(replay, counts)
            assert ours == theirs, f"{here}: {ours} {theirs}"
            if end is None and (len(theirs) == 1 or ply % 16 == 0):
                ask_package(replay, ours, differences, here)
        if ply < len(moves):
            replay.push(moves[ply])


def ask_package(board, ours, differences, here):
    """What the package itself says can be claimed."""
    rules = {rule for rule, _ in ours}
    assert ("threefold" in rules) == board.can_claim_threefold_repetition(), here
    if ("fifty-move" in rules) != board.can_claim_fifty_moves():
        for rule, move in ours:
            if rule == "fifty-move":
                assert move is not None, here
                board.push_uci(move)
                assert not any(board.legal_moves), here
                board.pop()
        differences["fifty-move claim with a move that ends the game"] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dchess")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    begun = time.process_time()
    chance = random.Random(arguments.seed)
    boards = [made_game(fen, moves) for fen, moves, _ in HAND_MADE]
    boards += [random_game(chance, number % 2 == 1) for number in range(arguments.games)]
    with tempfile.NamedTemporaryFile("w", suffix=".pgn") as file:
        for board in boards:
            print(chess.pgn.Game.from_board(board), end="\n\n", file=file)
        file.flush()
        command = [arguments.dchess, "state", "encode", "--pgn", file.name, "--every-ply", "--json", "--nodes", "0"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    told = collections.defaultdict(list)
    for line in text.splitlines():
        state = json.loads(line)
        assert "error" not in state, state
        told[state["game"]].append(state)
    assert len(told) == len(boards)
    differences = collections.Counter()
    ends = collections.Counter()
    kinds = collections.Counter()
    for number, board in enumerate(boards, 1):
        try:
            compare(board, told[number], differences)
        except AssertionError as error:
            sys.exit(f"DIFFER game {number}: {error}")
        ends[told[number][-1]["terminal"]] += 1
        for state in told[number]:
            for claim in state["claims"]:
                kinds[claim["rule"] + (" with a move" if claim["move"] else " now")] += 1
    for (_, moves, wanted), number in zip(HAND_MADE, range(1, len(boards) + 1)):
        found = [(claim["rule"], claim["move"]) for claim in told[number][-1]["claims"]]
        if wanted == "fifty":
            assert found and all(rule == "fifty-move" for rule, _ in found), (moves, found)
        else:
            assert found == wanted, (moves, found)
    for name in ["fivefold", "seventy-five", "checkmate", "dead"]:
        assert ends[name] > 0, f"no game ended by {name}"
    assert differences["fifty-move claim with a move that ends the game"] > 0
    for name in ["threefold now", "threefold with a move", "fifty-move now", "fifty-move with a move"]:
        assert kinds[name] > 0, f"no claim {name}"
    states = sum(map(len, told.values()))
    print(f"AGREE {len(boards)} games, {states} states, {time.process_time() - begun:.0f} CPU s")
    for title, counter in [("ends", ends), ("claims", kinds), ("expected differences", differences)]:
        print(f"  {title}: " + ", ".join(f"{count} {name}" for name, count in sorted(counter.items(), key=str)))


if __name__ == "__main__":
    main()
