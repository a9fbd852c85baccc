"""The documentation site, made from the pages of the repository and from what its code declares: `make docs`.

    python -m docs.site                 from the root of a checkout; needs the extra docs and no network

pages.py       which pages there are, where each goes, and what their links become
games.py       what every game of the registry declares: pictures of positions, options, observation, actions, players
notebooks.py   the kept notebooks as pages
contents.toml  the parts of the site and the order of their pages; which modules are public
conf.py        the settings of Sphinx

Nothing is written by hand twice: pages are taken as they are, and read on GitHub as in the site.
"""
