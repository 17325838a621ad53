"""Talks to `tempo uci` as a chess GUI does, through python-chess. The first argument is the program."""

import signal
import subprocess
import sys
import time

import chess
import chess.engine


def main(command):
    signal.alarm(300)  # a hang is a failure
    engine = chess.engine.SimpleEngine.popen_uci([command, "uci"], timeout=60)
    assert engine.id["name"].startswith("Tempo"), engine.id
    for name in ["Clock", "Level", "Hash", "Book", "Engine"]:
        assert name in engine.options, name

    # A game against itself, forty plies, every move checked by the client.
    board = chess.Board()
    while not board.is_game_over() and board.ply() < 40:
        result = engine.play(board, chess.engine.Limit(time=0.5), game="first", info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves, (result.move, board.fen())
        board.push(result.move)

    # Clocks, nodes, depth; the time is that of the emulated machine. The game above may have ended in mate.
    board = chess.Board("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7")
    for limit in [
        chess.engine.Limit(white_clock=30, black_clock=30, white_inc=1, black_inc=1),
        chess.engine.Limit(white_clock=0.01, black_clock=0.01),
        chess.engine.Limit(nodes=500),
        chess.engine.Limit(depth=2),
    ]:
        assert engine.play(board, limit).move in board.legal_moves, limit
    engine.configure({"Book": False})
    info = engine.play(chess.Board(), chess.engine.Limit(time=2), info=chess.engine.INFO_ALL).info
    assert 1.9 <= info["time"] <= 2.1 and info["nodes"] > 0 and info["nps"] > 0, info

    # Endless analysis, stopped by the client.
    with engine.analysis(chess.Board(), chess.engine.Limit()) as analysis:
        time.sleep(0.3)
        analysis.stop()
        assert analysis.wait().move in chess.Board().legal_moves

    # Positions at the edge: one move, the most moves, a rook promotion of the opponent, no move at all.
    for fen in [
        "7k/8/8/8/8/8/6q1/7K w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    ]:
        board = chess.Board(fen)
        assert engine.play(board, chess.engine.Limit(time=0.3)).move in board.legal_moves, fen
    board = chess.Board("8/P6k/8/8/8/8/7K/8 w - - 0 1")
    board.push_uci("a7a8r")
    assert engine.play(board, chess.engine.Limit(time=0.3)).move in board.legal_moves
    mated = chess.Board("R5k1/5ppp/8/8/8/8/8/7K b - - 0 1")
    assert not engine.play(mated, chess.engine.Limit(time=0.3)).move

    # The reference search behind the same protocol.
    engine.configure({"Engine": "reference"})
    board = chess.Board("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1")
    result = engine.play(board, chess.engine.Limit(depth=3), info=chess.engine.INFO_SCORE)
    assert result.move == chess.Move.from_uci("e1e8") and result.info["score"].relative.mate() == 1, result
    engine.quit()

    # A client that dies in the middle of a search: the engine notices that its input has ended.
    orphan = subprocess.Popen([command, "uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    orphan.stdin.write("position startpos\ngo infinite\n")
    orphan.stdin.close()
    assert orphan.wait(timeout=60) == 0
    print("uci: fine")


main(sys.argv[1])
