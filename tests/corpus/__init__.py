"""Tests of the room corpus."""
