"""The project's settings for tests of single functions: a throw-away data folder, no server of any kind.

Tests that need a real broker, worker or web server start them as processes of
their own (`tests/services/`), which use the project's settings unchanged.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

from playground.config.environment import IN_MEMORY

_data = tempfile.mkdtemp(prefix="playground-tests-")
atexit.register(shutil.rmtree, _data, ignore_errors=True)
os.environ["PLAYGROUND_DATA"] = _data
os.environ["PLAYGROUND_REDIS_URL"] = IN_MEMORY

from playground.config.settings import *  # noqa: E402, F403

# A file, not memory: threads share it as processes do, with the same locks and the same waiting.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    DATABASES["default"]["TEST"] = {"NAME": os.path.join(_data, "test.sqlite3")}  # noqa: F405
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# The test client's name.
ALLOWED_HOSTS = [*ALLOWED_HOSTS, "testserver"]  # noqa: F405
