"""`python -m litesearch`: the command line."""

from .cli import main

main()
