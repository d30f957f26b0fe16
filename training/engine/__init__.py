"""The fabai engine: exact QLoRA gradients at lengths and on cards where nothing else fits. See `prepare`."""

from .engine import Engine, prepare
from .settings import EngineSettings

__all__ = ["Engine", "EngineSettings", "prepare"]
