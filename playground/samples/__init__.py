"""Services the playground offers to itself, so that presets with extenders or webhooks work as they are.

They are ordinary HTTP services under /samples/, called by the workers like
anybody's; presets name them by `outgoing_targets.OWN_HOST`. Each keeps no
state and knows only what it is sent; the one that shares GPUs reads its cluster,
whose slug is in its path.
"""
