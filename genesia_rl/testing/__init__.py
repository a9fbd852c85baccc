"""Tests that ship with the package and hold any registered game to the contract.

    check_game   conformance: is what a game says of itself true?
    perft        how many sequences of decisions there are, to a depth
    signature    one number over every state of a fixed set of games
    soak         random games by the million, every state checked by compiled code
    strategies   games for hypothesis: a configuration, a seed, and which legal action each time

They know games through `genesia_rl.core.game` and `genesia_rl.core.registry` alone. Only `strategies` needs
hypothesis, and only it imports it.
"""
