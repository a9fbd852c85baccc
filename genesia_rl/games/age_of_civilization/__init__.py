"""Age of Civilization: civilizations rise, work, research, build and are remembered, in six rounds."""
