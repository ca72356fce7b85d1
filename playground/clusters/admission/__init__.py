"""What happens to an object on its way in: shape, defaults, rules.

A manifest from outside is read strictly by Kubernetes' schema, gets the
defaults Kubernetes gives, is checked by the rules of its kind, and on an
update by what must not change. A manifest from our own controllers
(`admit_trusted`) gets the defaults and the priority of its class only.
"""

from playground.clusters.admission.pipeline import admit_create, admit_trusted, admit_update

__all__ = ["admit_create", "admit_trusted", "admit_update"]
