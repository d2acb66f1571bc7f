#!/usr/bin/env python3
"""Drives `dchess uci` as a graphical program does, with the engine client and the rules of the PyPI package `chess`
(python-chess).

    drive_uci.py DCHESS [--mates DIR]

Each position of a suite has a mate that is stated. The engine must find it, exactly as long as stated, and its line must
be legal, end in mate and have that length. Then positions without a mate, a search that is stopped, and `isready` during
a search. Suites are DIR/mate-in-2-dev.epd and DIR/mate-in-3-dev.epd, 50 positions each, evenly spread; without --mates,
or if a file is missing, a line `NOT RUN: …` says so, and a few positions that stand here are driven in any case.

Exit code: 0 everything as it should be, 1 something is not, 2 usage.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.engine

WANTED = 50  # positions of a suite
SLOWEST = 1.0  # seconds that an answer to `stop` and `isready` may take
PATIENCE = 60.0  # seconds after which the engine counts as hanging
PAUSE = 0.5  # seconds that a search runs before it is stopped

OWN = [
    ("7k/8/8/6K1/8/8/8/5Q2 w - - 0 1", 3),
    ("7k/8/6K1/8/8/8/8/5Q2 b - - 0 1", -2),
    ("8/8/6N1/b7/6R1/2k5/B7/R3K3 w Q - 0 1", 2),  # castling is the key
    ("8/4R3/8/PpR5/1k6/2R5/7K/8 w - b6 0 1", 2),  # a capture en passant is the key
    ("8/3P3R/4kr2/1R6/2n1K3/8/8/7B w - - 0 1", 2),  # promotion to a knight is the key
]
HARD = "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 1"  # nobody mates soon


class Drive:
    """A run against one engine, and what was wrong in it."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.engine = chess.engine.SimpleEngine.popen_uci(command, timeout=PATIENCE)
        self.faults: list[str] = []

    def fault(self, where: str, what: str) -> None:
        self.faults.append(f"{where}: {what}")

    def check_mate(self, fen: str, length: int) -> None:
        """The engine finds the mate of this length, and plays it."""
        board = chess.Board(fen)
        result = self.engine.play(board, chess.engine.Limit(mate=abs(length)), info=chess.engine.INFO_ALL)
        info = result.info
        score = info.get("score")
        if score is None or score.relative != chess.engine.Mate(length):
            self.fault(fen, f"score {score}, mate in {length} is stated")
            return
        if "lowerbound" in info or "upperbound" in info:
            self.fault(fen, "the mate is not shown to be the shortest")
        line = info.get("pv", [])
        if not line or result.move != line[0]:
            self.fault(fen, f"{result.move} is played, the line begins otherwise")
        if len(line) != (2 * length - 1 if length > 0 else -2 * length):
            self.fault(fen, f"a line of {len(line)} plies for a mate in {length}")
        for move in line:
            if move not in board.legal_moves:
                self.fault(fen, f"{move} is not legal")
                return
            board.push(move)
        if not board.is_checkmate():
            self.fault(fen, "the line does not end in mate")

    def check_no_mate(self, fen: str, length: int) -> None:
        """The engine plays some legal move and claims no mate."""
        board = chess.Board(fen)
        result = self.engine.play(board, chess.engine.Limit(mate=length), info=chess.engine.INFO_ALL)
        if "score" in result.info:
            self.fault(fen, f"score {result.info['score']}, and there is no mate in {length}")
        if result.move not in board.legal_moves:
            self.fault(fen, f"{result.move} is played")

    def check_stop(self, fen: str) -> tuple[float, float]:
        """The seconds after which `isready` and `stop` are answered during a search."""
        board = chess.Board(fen)
        with self.engine.analysis(board) as analysis:
            time.sleep(PAUSE)
            begin = time.perf_counter()
            self.engine.ping()
            ready = time.perf_counter() - begin
            begin = time.perf_counter()
            analysis.stop()
            best = analysis.wait()
            stopped = time.perf_counter() - begin
        if best.move not in board.legal_moves:
            self.fault(fen, f"{best.move} is played after stop")
        for word, seconds in (("isready", ready), ("stop", stopped)):
            if seconds > SLOWEST:
                self.fault(fen, f"{word} is answered after {seconds:.2f} s")
        return ready, stopped


def answer_of(command: list[str], text: str) -> list[str]:
    """What the engine says to a script on its standard input."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return done.stdout.splitlines()


def positions_of(suite: Path) -> list[str]:
    lines = [line for line in suite.read_text().splitlines() if line and not line.startswith("#")]
    step = max(1, len(lines) // WANTED)
    return [" ".join(line.split()[:4]) + " 0 1" for line in lines[::step][:WANTED]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Drive `dchess uci` with python-chess.")
    parser.add_argument("dchess", metavar="DCHESS", type=Path, help="the program")
    parser.add_argument("--mates", metavar="DIR", type=Path, help="folder of suites")
    arguments = parser.parse_args()
    command = [str(arguments.dchess), "uci"]
    drive = Drive(command)
    try:
        for fen, length in OWN:
            drive.check_mate(fen, length)
        print(f"uci: {len(OWN)} positions of this script")
        for length in (2, 3):
            suite = arguments.mates / f"mate-in-{length}-dev.epd" if arguments.mates else None
            if suite is None or not suite.is_file():
                print(f"NOT RUN: uci, suite of mates in {length}")
                continue
            fens = positions_of(suite)
            begin = time.perf_counter()
            for fen in fens:
                drive.check_mate(fen, length)
            print(f"uci: {len(fens)} mates in {length}, {time.perf_counter() - begin:.1f} s")
        drive.check_no_mate(OWN[0][0], 2)
        drive.check_no_mate(chess.STARTING_FEN, 2)
        for threads in (1, 2):
            drive.engine.configure({"Threads": threads})
            times = [drive.check_stop(HARD) for _ in range(3)]
            ready, stopped = (1000 * max(column) for column in zip(*times))
            print(f"uci: {threads} threads: isready after {ready:.1f} ms, bestmove after stop {stopped:.1f} ms, at most")
    finally:
        drive.engine.quit()
    said = answer_of(command, "position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo mate 3\n")
    if said[-1:] != ["bestmove (none)"]:
        drive.fault("a checkmate", f"the answer is {said}")
    for fault in drive.faults:
        print(fault)
    print("uci: FAILED" if drive.faults else "uci: everything as it should be")
    sys.exit(1 if drive.faults else 0)


if __name__ == "__main__":
    main()
