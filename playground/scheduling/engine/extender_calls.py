"""Makes the calls of HTTP extenders: the engine's `ExtenderCaller` on the playground's outgoing client.

No transaction may be open while one is made: extenders are slow, and one that
binds calls our own API server before it answers.
"""

from __future__ import annotations

import base64
import binascii

from playground.common.outgoing import (
    DEFAULT_TLS,
    LONGEST_CALL,
    CallFailed,
    TargetRefused,
    Tls,
    check_tls,
    check_url,
    post_json,
)
from scheduler_core.configuration import Extender
from scheduler_core.configuration.model import ExtenderTls
from scheduler_core.framework.extenders import ExtenderAnswer, ExtenderSpec, ExtenderUnreachable

# What Go's HTTP client adds where its own timeout, the extender's `httpTimeout`, ended the call.
TIMED_OUT = " (Client.Timeout exceeded while awaiting headers)"


class HttpCaller:
    """See the module's text. Any number of threads."""

    def post(self, extender: ExtenderSpec, url: str, body: bytes) -> ExtenderAnswer:
        assert isinstance(extender, Extender)
        try:
            answer = post_json(url, body, timeout=extender.http_timeout, tls=tls_of(extender))
        except (TargetRefused, CallFailed) as failure:
            raise ExtenderUnreachable(f"{failure}{TIMED_OUT if _is_late(failure) else ''}") from None
        return ExtenderAnswer(answer.status, answer.body)


def _is_late(failure: TargetRefused | CallFailed) -> bool:
    return isinstance(failure, CallFailed) and failure.timed_out


def tls_of(extender: Extender) -> Tls:
    """As kube-scheduler: with `enableHTTPS` and no authority named, any certificate will do. Raises CallFailed."""
    given = extender.tls
    if given is None:
        return Tls(insecure=True) if extender.enable_https else DEFAULT_TLS
    return Tls(
        insecure=given.insecure or (extender.enable_https and not given.ca_data),
        server_name=given.server_name,
        ca=_pem("caData", given.ca_data),
        certificate=_pem("certData", given.cert_data),
        key=_pem("keyData", given.key_data),
    )


def _pem(field: str, data: str) -> str:
    try:
        return base64.b64decode(data, validate=True).decode("ascii")
    except (binascii.Error, ValueError):
        raise CallFailed(f"{field}: expected a PEM text in base64") from None


def extender_problems(extender: Extender) -> list[tuple[str, str]]:
    """(field, what is wrong): why this server would not call it."""
    problems = []
    try:
        check_url(extender.url_prefix)
    except TargetRefused as refused:
        problems.append(("urlPrefix", str(refused)))
    if not 0 < extender.http_timeout <= LONGEST_CALL:
        problems.append(("httpTimeout", f"must be greater than zero and at most {LONGEST_CALL:g}s"))
    problems += [("tlsConfig", text) for text in _tls_problems(extender, extender.tls)]
    return problems


def _file_problem(field: str) -> str:
    instead = field.removesuffix("File") + "Data"
    return f"{field}: the server reads no files for its users; give {instead} what `base64 -w0 FILE` prints"


def _tls_problems(extender: Extender, given: ExtenderTls | None) -> list[str]:
    if given is None:
        return []
    if given.files:
        return [_file_problem(field) for field in given.files]
    if given.insecure and given.ca_data:
        return ["caData: specifying root certificates with the insecure flag is not allowed"]
    if bool(given.cert_data) != bool(given.key_data):
        return ["certData and keyData: one is of no use without the other"]
    try:
        check_tls(tls_of(extender))
    except CallFailed as failure:
        return [str(failure)]
    return []
