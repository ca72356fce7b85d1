"""Certificates for servers of tests, signed by themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def certificate_of(alternative_name: str, folder: Path) -> tuple[Path, Path]:
    """Files of a certificate and its key; `alternative_name` as openssl writes it: "IP:127.0.0.1", "DNS:a.example"."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subject = ["-subj", "/CN=tests", "-addext", f"subjectAltName={alternative_name}"]
    output = ["-keyout", str(key), "-out", str(certificate)]
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *output]
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key
