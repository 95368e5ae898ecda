"""The tests of nomicgen."""
