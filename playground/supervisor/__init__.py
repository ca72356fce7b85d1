"""`manage.py up`: the whole playground as one tree of processes on one machine.

    supervisor ── valkey-server     broker, channel layer, cache; on a socket in the data folder
              ├── scheduler         Celery, one process for scheduling cycles (engines stay warm in it)
              ├── worker            Celery, threads for binding, controllers, kubelet, timers
              └── web               Daphne

What runs is what runs in a larger installation; only the number differs.

Each child has a session of its own, so that Ctrl-C in the terminal reaches the
supervisor alone, which stops them in order: first the door, then the work, then
the broker. A child that dies is started again, a few times; then everything
stops with the end of that child's log. When the supervisor itself is killed,
the children go with it (`parent_death`). A lock on the data folder keeps a
second instance out.

The supervisor holds no Django: it stays at some fifteen megabytes and starts
at once. `environment` of the settings is all it shares with the rest.
"""
