"""The command line `genesia`. The rest of the package never imports it."""
