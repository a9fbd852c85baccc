"""What a game is, and what all games share. Ten words:

game       the rules in one configuration (game.py); its facts (facts.py) size all records
state      one record, the position of one game; `states, i` is the i-th of an array of them
table      one record too: a configuration as compiled code reads it; a batch may hold several
kernel     a compiled function; `game.kernels` are those that Python calls (loops/ has the templates)
decision   a question to one seat, of a kind, with at least two legal actions
seat       who acts, an absolute number; a view is in the seat's own numbering, in which it is seat 0
rank       how many stand before a seat in the result: 0 is a first place
piece      a named part of an observation; a token set: things of one kind (regions, cards) that it speaks of
player     whoever decides: asked for a decision batch, the decisions of many games at once (player.py)
rng_key    the random number of a decision; all chance of a player comes from it, all of a game from its seed
"""
