"""kube-scheduler on a live cluster: the engine kept warm in Celery, its queue, decisions and bindings as rows."""
