"""Mutating admission: what may change an object on its way in.

After its defaults an object passes the policies (MutatingAdmissionPolicy, CEL,
evaluated here) and then the webhooks (MutatingWebhookConfiguration, HTTP), gets
defaults again, and only then is validated. `chain` has the order.

Webhooks are the hard part. Admission runs inside a cluster's transaction, on
SQLite under the one lock of all writers, and nothing may wait for a network
there. So admission never calls: it asks for a *verdict* (`verdicts`). Where one
is missing it says what is to be asked and gives up; the door rolls back, calls
outside (`calling`), and does the whole write again with the answers at hand. An
answer fits only the very question it was given to, so what is written at last
is as if the webhook had been called in the middle of it.

    matching       rules and selectors: is this request a hook's affair
    expressions    CEL, with bounds; `literals` reads Object{...} and JSONPatch{...}
    policies       what the policies make of an object
    webhooks       AdmissionReview: the question, and what an answer means
    verdicts       answers that have come, each for one admission
    calling        the only place that calls
    reinvocation   who is asked a second time
    chain          the order of it all
"""
