/** What a new Deployment starts from: small, and complete enough to be applied as it is. */
export const DEPLOYMENT_SKELETON = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: web
          image: nginx:1.29
          resources:
            requests:
              cpu: 250m
              memory: 128Mi
`;
