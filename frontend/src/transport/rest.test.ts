import { afterEach, expect, test, vi } from "vitest";
import { bindPod, collectionPath, DEPLOYMENTS, listDecisions, objectPath, PODS, patchScale } from "./api";
import { changesHeld, httpLine, request, send } from "./rest";

afterEach(() => {
  vi.unstubAllGlobals();
  changesHeld.set(false);
});

const answering = (status: number, body: string) => {
  const fetching = vi.fn(async (_path: string, _options: RequestInit) => new Response(body, { status }));
  vi.stubGlobal("fetch", fetching);
  return fetching;
};

test("a JSON body is sent as JSON and the answer is read", async () => {
  const fetching = answering(201, '{"metadata": {"name": "a"}}');
  await expect(send(request("POST", "/k8s/demo/api/v1/nodes", { kind: "Node" }))).resolves.toEqual({
    metadata: { name: "a" },
  });
  const [path, options] = fetching.mock.calls[0] ?? [];
  expect(path).toBe("/k8s/demo/api/v1/nodes");
  expect(options).toMatchObject({ method: "POST", body: '{"kind":"Node"}' });
  expect(options?.headers).toMatchObject({ "Content-Type": "application/json" });
});

test("a patch says which kind of patch it is", async () => {
  const fetching = answering(200, "{}");
  await send(patchScale("demo", DEPLOYMENTS, "shop", "web", 3));
  const [, options] = fetching.mock.calls[0] ?? [];
  expect(options?.headers).toMatchObject({ "Content-Type": "application/merge-patch+json" });
  expect(options?.body).toBe('{"spec":{"replicas":3}}');
});

test("an error status is thrown with the server's words", async () => {
  answering(404, '{"error": {"code": "not_found", "message": "There is no such cluster.", "details": []}}');
  await expect(send(request("GET", "/api/clusters/x/"))).rejects.toMatchObject({
    status: 404,
    message: "There is no such cluster.",
  });
});

test("no server is an error that says so", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  await expect(send(request("GET", "/api/clusters/"))).rejects.toMatchObject({ isUnreachable: true });
});

test("an empty answer is no answer", async () => {
  answering(200, "");
  await expect(send(request("DELETE", "/x"))).resolves.toBeUndefined();
});

test.each([
  [collectionPath("demo", PODS, "default"), "/k8s/demo/api/v1/namespaces/default/pods"],
  [collectionPath("demo", PODS), "/k8s/demo/api/v1/pods"],
  [objectPath("demo", DEPLOYMENTS, "shop", "web"), "/k8s/demo/apis/apps/v1/namespaces/shop/deployments/web"],
  [listDecisions("demo", { pod: "web" }).path, "/api/clusters/demo/decisions/?pod=web"],
  [listDecisions("demo").path, "/api/clusters/demo/decisions/"],
])("%s", (path, expected) => {
  expect(path).toBe(expected);
});

test("an action can be shown as its HTTP line", () => {
  const line = httpLine(bindPod("demo", "default", "web", "n1"));
  expect(line.split("\n")[0]).toBe("POST /k8s/demo/api/v1/namespaces/default/pods/web/binding");
  expect(line).toContain('"kind": "Binding"');
});

test("while the page is not live, what would change the cluster is not sent, and questions are", async () => {
  const fetching = answering(200, "{}");
  changesHeld.set(true);
  await expect(send(request("POST", "/api/clusters/demo/pause/"))).rejects.toMatchObject({ code: "not_live" });
  await send(request("GET", "/api/clusters/demo/"));
  expect(fetching).toHaveBeenCalledOnce();
});
