"""The dossier of a grant: what was promised, what was done, what it cost, who wrote what, and what carries over."""
