"""What is printed on cards, tiles and boards: three files, and how they are read and checked."""
