"""Real services for tests: Valkey, Celery workers, Daphne, PostgreSQL, each a process of its own.

Ask for a fixture by name, in any test; the test is then marked `services` by itself (fixtures.py):

    playground             the whole embedded stack, shared by the run; make a cluster of your own in it
    own_playground         the same, for one test, which may kill and restart its parts
    postgresql_playground  web, scheduler and worker on PostgreSQL and a Redis on TCP, as in docker-compose.yml
    valkey_url             only a broker
    postgresql_url         only a database server

A failing test shows the ends of its services' logs.
"""
