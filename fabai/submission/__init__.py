"""What leaves the house: the finished document looked at as the funder will, what still stands in its way, the package.

`blockers(project)` says why a project cannot be presented yet; `check_document(data, form)` looks at a finished .docx,
one made elsewhere too; `make_package` writes what is handed in.
"""

from fabai.submission.blocking import blockers
from fabai.submission.finished import check_document

__all__ = ["blockers", "check_document"]
