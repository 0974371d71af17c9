"""Tests of the learner."""
