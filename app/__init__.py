"""The browser application: grant people write a report section by section, with a model beside them.

`ui` lays the page out with Gradio, `server` builds the program that serves it, the modules beside them hold what
happens and know neither Gradio nor HTTP. Nothing is started here: `fabai app` launches what `server.build` returns.
"""
