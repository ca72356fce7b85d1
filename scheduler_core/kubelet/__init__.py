"""What a node does with a pod that was bound to it, without containers.

`admission` decides whether the node takes the pod at all; `pod_life` tells its
life in steps (pulling, starting, running, stopping), each with the status and
the events a real kubelet reports; `images` is what the node has pulled. All of
it is pure: what to write and when the next step is due come back as values, in
cluster time.
"""
