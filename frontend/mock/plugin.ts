/// <reference types="node" />
/**
 * `npm run mock`: the page against a pretended server inside Vite, for work on the page alone.
 *
 * It speaks the live protocol and the few REST calls the page makes over one in-memory cluster
 * (`cluster.ts`), whose scheduler is a caricature. What is right is decided by the real server.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plugin } from "vite";
import { type WebSocket, WebSocketServer } from "ws";
import { MockCluster } from "./cluster";
import { answer } from "./routes";

export function mockServer(): Plugin {
  const cluster = new MockCluster(Number(process.env.MOCK_NODES ?? 4));
  return {
    name: "mock-server",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!/^\/(api|k8s)\//.test(request.url ?? "")) return next();
        void respond(cluster, request, response);
      });
      const sockets = new WebSocketServer({ noServer: true });
      server.httpServer?.on("upgrade", (request, socket, head) => {
        if (!request.url?.startsWith("/ws/clusters/")) return;
        sockets.handleUpgrade(request, socket, head, (client) => follow(cluster, client));
      });
    },
  };
}

async function respond(cluster: MockCluster, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const [status, body] = answer(cluster, request.method ?? "GET", request.url ?? "/", text ? JSON.parse(text) : {});
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json");
  response.end(body === undefined ? "" : JSON.stringify(body));
}

function follow(cluster: MockCluster, client: WebSocket): void {
  client.send(JSON.stringify(cluster.snapshot()));
  const stop = cluster.onBatch((batch) => client.send(JSON.stringify(batch)));
  client.on("close", stop);
}
