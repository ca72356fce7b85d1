/** What an object of a kind begins with: the smallest that says something, where we know one. */

import { own } from "../../model/own";
import type { KindCard } from "../../transport/extension_api";

const SPECS: Readonly<Record<string, string>> = {
  MutatingWebhookConfiguration: `webhooks:
- name: pods.example.com
  clientConfig:
    url: http://127.0.0.1:9000/mutate
  rules:
  - operations: [CREATE]
    apiGroups: [""]
    apiVersions: [v1]
    resources: [pods]
  failurePolicy: Ignore
  sideEffects: None
  admissionReviewVersions: [v1]
`,
  MutatingAdmissionPolicy: `spec:
  matchConstraints:
    resourceRules:
    - operations: [CREATE]
      apiGroups: [""]
      apiVersions: [v1]
      resources: [pods]
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{metadata: Object.metadata{labels: {"team": "data"}}}
`,
  MutatingAdmissionPolicyBinding: `spec:
  policyName: example
`,
  PodGroup: `spec:
  minMember: 3
`,
  PriorityClass: `value: 1000
preemptionPolicy: PreemptLowerPriority
`,
  PodDisruptionBudget: `spec:
  minAvailable: 1
  selector:
    matchLabels:
      app: web
`,
};

export function skeletonOf({ kind, api_version, namespaced }: KindCard): string {
  const place = namespaced ? "  namespace: default\n" : "";
  return `apiVersion: ${api_version}\nkind: ${kind}\nmetadata:\n  name: example\n${place}${own(SPECS, kind) ?? "spec: {}\n"}`;
}
