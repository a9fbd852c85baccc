"""The attack: whatever comes from outside, mutated a thousand times over. Nothing may end in a traceback, hang, or
leave its array.

    NUMBA_DISABLE_JIT=1 python -m tests.attack --cases 200 --seed 1

Without compiled code an access outside of an array is an error and no crash, so that is how it is run (the command sees
to it). A hole is named with what was done; the same seed finds it again.
"""
