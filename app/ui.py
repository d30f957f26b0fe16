"""The layout: which panes stand where on which screen. Gradio's blocks, rows and columns; built, not launched.

Knows places. Does not know what a pane shows (app/editor/src), what the server does, or words.
"""

from __future__ import annotations

import gradio as gr

from .pane import Pane

SCREENS = ("grants", "documents", "data", "writing", "review", "annexes", "submission")
"""In the order of the work; the writing screen has three panes, the others one."""

THEME = gr.themes.Base(
    font=["system-ui", "Segoe UI", "Roboto", "Noto Sans", "Liberation Sans", "sans-serif"],
    font_mono=["ui-monospace", "Consolas", "Liberation Mono", "monospace"],
)
"""Fonts of the machine: nothing is fetched."""


def build() -> gr.Blocks:
    """The whole application as Blocks; one screen is seen at a time, which the address says."""
    blocks: gr.Blocks = gr.Blocks(title="fabai", analytics_enabled=False, fill_width=True)
    with blocks:
        Pane(pane="bar", elem_id="fb-bar")
        for screen in SCREENS:
            with gr.Column(elem_id=f"fb-{screen}", elem_classes=["fb-screen"]):
                if screen == "writing":
                    with gr.Row(elem_classes=["fb-writing"], equal_height=True):
                        Pane(pane="outline", elem_id="fb-outline", scale=2, min_width=220)
                        Pane(pane="editor", elem_id="fb-editor", scale=5, min_width=420)
                        Pane(pane="side", elem_id="fb-side", scale=3, min_width=280)
                else:
                    Pane(pane=screen)
    return blocks
