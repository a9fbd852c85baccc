"""`python -m genesia_rl` is the command `genesia`."""

from genesia_rl.cli.app import main

if __name__ == "__main__":
    main()
