"""Reading clues out of text, by annotated surface forms and without a model.

``Lexicon`` holds what a case names and states; ``read`` finds which of its statements records make. The
rules are general and cautious: what a text does not plainly tie together is not read as tied. What they
cannot vouch for is for the caller to call *unreadable*: see ``RecordReading.loose`` and ``untied``.
"""

from memjoin.text.reading.known import Placed
from memjoin.text.reading.lexicon import Lexicon, Remark
from memjoin.text.reading.reader import Reading, RecordReading, by_place, is_outright, read, read_record
from memjoin.text.reading.surfaces import REDACTED

__all__ = [
    "REDACTED",
    "Lexicon",
    "Placed",
    "Reading",
    "RecordReading",
    "Remark",
    "by_place",
    "is_outright",
    "read",
    "read_record",
]
