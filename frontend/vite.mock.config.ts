/** `npm run mock`: the page without a server (`mock/plugin.ts`). */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { mockServer } from "./mock/plugin";

export default defineConfig({ plugins: [react(), mockServer()], server: { host: "127.0.0.1" } });
