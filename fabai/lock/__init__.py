"""The figure lock: a model under it can write the figures it was given, in whole typed forms, and no other digit."""

from fabai.lock.constraint import Constraint

__all__ = ["Constraint"]
