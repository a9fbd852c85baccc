"""Statistics for games that come in blocks, one deal played in several seatings.

Games of a block depend on each other, blocks do not; every interval is of 95 % and taken over blocks.

- `estimate`: `Estimate`, a figure with its interval, and its p value
- `shares`: shares of first places, ranks with ties, Wilson's interval; it needs numpy only
- `moments`: `Moments`, rates and means from blocks that arrive bit by bit, merged without rounding
- `exact`: sums of floats that neither order nor grouping changes
- `plackett_luce`: `fit_plackett_luce`, ratings from rankings of several players, with ties and covariates
- `rankings`: rankings counted by block, as the fit needs them
- `worth`: the likelihood behind the ratings, its gradient, its maximum
- `bootstrap`: `block_bootstrap`, an interval for any statistic
- `sequential`: `Sequential`, "is A better by so much?", asked while the games come in
- `multiple`: `holm`, `benjamini_hochberg`, `flag`, for many questions at once
- `shrink`: many alike figures drawn towards their mean: what is picked out of them keeps its interval
- `power`: `games_needed`, how many games show a difference

Nothing here knows the game: numpy and scipy are all it needs.
"""
