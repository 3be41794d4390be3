"""How fast the engine is, beside the libraries a user would take instead. Benchmarks, not tests: nothing is asserted.

    python -m tests.benchmarks [--rounds 7] [--only WORD]

Ratios within one run are what counts; every round times every job once in a fresh order, in processor time.
"""
