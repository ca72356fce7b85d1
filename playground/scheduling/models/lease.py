"""One worker per scheduler at a time.

A holder takes the lease for some seconds and renews it while it works. Taking
it over raises `generation`, and every write of a scheduling slice is checked
against the generation it began with, inside the transaction that writes: a
worker that was stopped and comes back late finds its write refused instead of
undoing what its successor did. Expiry only decides when to take over; the
generation alone keeps the data right, so clocks that disagree do no harm.
"""

from __future__ import annotations

from django.db import models


class SchedulerLease(models.Model):
    scheduler = models.OneToOneField(
        "scheduling.ClusterScheduler", on_delete=models.CASCADE, primary_key=True, related_name="lease"
    )
    # Rises by one whenever another holder takes the lease.
    generation = models.PositiveBigIntegerField(default=0)
    # "host/pid/nonce" of the worker; "" when nobody holds it.
    holder = models.CharField(max_length=200, blank=True, default="")
    # Wall clock.
    expires_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"generation {self.generation} held by {self.holder or 'nobody'}"
