"""The Kubernetes-shaped API of each cluster, under /k8s/{cluster}/.

Used by the page, by scripts and by Kubernetes' own clients alike; generic over
the table of kinds, so there is no code per kind here.
"""
