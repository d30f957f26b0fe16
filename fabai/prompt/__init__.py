"""The prompt: wording in one file per language, fixed parts, chat messages."""

from fabai.prompt.parts import limit_text, messages, parts

__all__ = ["limit_text", "messages", "parts"]
