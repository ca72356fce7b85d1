/// <reference types="node" />
/// <reference types="vitest/config" />
/**
 * The page is served by Django: index.html for `/` and `/clusters/<slug>`, everything else below
 * `/static/`. While developing, Vite serves the page and hands API and WebSocket calls on to the
 * playground at PLAYGROUND_URL.
 */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const target = process.env.PLAYGROUND_URL ?? "http://127.0.0.1:8000";
// The server refuses requests that another origin's page made.
const proxied = { target, changeOrigin: true, headers: { Origin: target } };

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/" : "/",
  plugins: [react()],
  server: { host: "127.0.0.1", proxy: { "/api": proxied, "/k8s": proxied, "/ws": { ...proxied, ws: true } } },
  build: {
    target: "es2022",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // How long the bundler's parts took on a busy machine is no news to who starts the playground.
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  test: {
    restoreMocks: true,
    // A document is slow to set up, and only components need one.
    projects: [
      { extends: true, test: { name: "pure", environment: "node", include: ["src/**/*.test.ts"] } },
      { extends: true, test: { name: "page", environment: "happy-dom", include: ["src/**/*.test.tsx"] } },
    ],
  },
}));
