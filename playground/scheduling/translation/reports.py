"""Reports as they lie in the database.

The summary is kept as JSON bytes, ready to be sent; the whole report, which is
rarely opened, is compressed. The cheapest level takes a report of 100 nodes
from some 20 kB to 2 kB in well under a millisecond; higher levels cost several
times that for a few percent.
"""

from __future__ import annotations

import zlib

import msgspec

from scheduler_core.report import CycleReport, DecisionSummary, encode

_LEVEL = 1
_summary_decoder = msgspec.json.Decoder(DecisionSummary)
_report_decoder = msgspec.json.Decoder(CycleReport)


def compress_report(report: CycleReport) -> bytes:
    return zlib.compress(encode(report), _LEVEL)


def report_json(compressed: bytes) -> bytes:
    return zlib.decompress(compressed)


def decompress_report(compressed: bytes) -> CycleReport:
    return _report_decoder.decode(report_json(compressed))


def decode_summary(summary: bytes) -> DecisionSummary:
    return _summary_decoder.decode(summary)
