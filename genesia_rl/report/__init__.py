"""Reports: one HTML page with plots and tables, the tables as Parquet, and the same in the terminal.

Nothing here knows a game: it is handed numbers and words.
"""
