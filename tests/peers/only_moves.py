#!/usr/bin/env python3
"""Counts the states of classes of three men that have an only move, without dchess: with the moves of the PyPI package
`chess` (python-chess) and real Syzygy WDL tables.

    only_moves.py --syzygy DIR CLASS…

An only move is the single move that wins or, where none wins, the single move that draws, of a state with other legal
moves too. Counted are canonical states (docs/certificate-format.md, *The states*). Prints a line `CLASS<tab>count` for
each class; the figures in tests/figures/only-moves.tsv come from here. A minute or two for each class.
"""

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.syzygy


def men_of(name: str) -> list[chess.Piece]:
    white, black = name[:name.index("K", 1)], name[name.index("K", 1):]
    return [chess.Piece.from_symbol(letter) for letter in white + black.lower()]


def image(square: int, symmetry: int) -> int:
    file, rank = square % 8, square // 8
    if symmetry & 4:
        file, rank = rank, file
    if symmetry & 1:
        file = 7 - file
    if symmetry & 2:
        rank = 7 - rank
    return 8 * rank + file


def states(men: list[chess.Piece]) -> Iterator[chess.Board]:
    """The canonical states of a class without like men."""
    pawns = any(man.piece_type == chess.PAWN for man in men)
    symmetries = range(2 if pawns else 8)
    for squares in itertools.product(range(64), repeat=len(men)):
        if len(set(squares)) < len(squares):
            continue
        if any(man.piece_type == chess.PAWN and square // 8 in (0, 7) for man, square in zip(men, squares)):
            continue
        if any(tuple(image(square, symmetry) for square in squares) < squares for symmetry in symmetries):
            continue
        for turn in chess.COLORS:
            board = chess.Board(None)
            for man, square in zip(men, squares):
                board.set_piece_at(square, man)
            board.turn = turn
            if not board.was_into_check():
                yield board


def result(board: chess.Board, tables: chess.syzygy.Tablebase) -> int:
    """1, 0 or -1 for the side to move, whatever the fifty-move rule says."""
    if board.is_checkmate():
        return -1
    if chess.popcount(board.occupied) == 2 or not any(board.legal_moves):
        return 0
    wdl = tables.probe_wdl(board)
    return (wdl > 0) - (wdl < 0)


def has_only_move(board: chess.Board, tables: chess.syzygy.Tablebase) -> bool:
    value = result(board, tables)
    results = []
    for move in board.legal_moves:
        board.push(move)
        results.append(-result(board, tables))
        board.pop()
    return value >= 0 and len(results) > 1 and results.count(value) == 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Count states with an only move.")
    parser.add_argument("classes", metavar="CLASS", nargs="+", help="three men, like KPK")
    parser.add_argument("--syzygy", metavar="DIR", type=Path, required=True, help="folder of Syzygy tables")
    arguments = parser.parse_args()
    with chess.syzygy.open_tablebase(str(arguments.syzygy)) as tables:
        for name in arguments.classes:
            count = sum(has_only_move(board, tables) for board in states(men_of(name)))
            print(f"{name}\t{count}", flush=True)


if __name__ == "__main__":
    main()
