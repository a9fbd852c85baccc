"""Gentes: peoples of antiquity grow, build and age under the pressure of time, in six rounds."""
