"""Volumes and claims: who gets which, and what is made when nothing is there.

    claim_binder   a PersistentVolumeClaim finds its volume, or has one provisioned
    best_match     the smallest volume on offer that will do
    provisioner    the stand-in for every storage driver: makes volumes out of nothing
    volume_phase   a PersistentVolume says whether it is free, taken or left behind
    ephemeral      claims of a pod's generic ephemeral volumes

The scheduler decides about claims that wait for their first consumer: it writes
a claim into a volume, or the selected node into a claim. All else happens here.
"""
