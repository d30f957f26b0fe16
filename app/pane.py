"""A part of the screen whose inside is drawn in the browser: a gr.HTML subclass that mounts a pane of our bundle.

Knows Gradio's component. Does not know what the panes show (app/editor/src). No data passes through the component: the
pane asks the server itself, so that a reload, a second tab or a lost connection never shows old state.
"""

from __future__ import annotations

from typing import Any

import gradio as gr

_MOUNT = """
const place = element.querySelector('.fb-pane');
const mount = () => (window.Fabai ? window.Fabai.mount(props.pane, place) : setTimeout(mount, 20));
mount();
"""
# the bundle may arrive after Gradio has drawn its blocks


class Pane(gr.HTML):
    """One pane by name; scale: its share of the row."""

    def __init__(self, value: str = "", *, pane: str = "", **rest: Any) -> None:
        fixed = {
            "html_template": '<div class="fb-pane"></div>',
            "css_template": "",
            "js_on_load": _MOUNT,
            "apply_default_css": False,
            "head": None,
        }
        super().__init__(value=value, **{**rest, **fixed}, pane=pane)
