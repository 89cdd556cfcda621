/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const server = process.env.BACKEND ?? "http://127.0.0.1:8000";

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/web/" : "/",
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: { manifest: true, outDir: "dist", emptyOutDir: true, assetsInlineLimit: 0 },
  server: {
    port: 5173,
    proxy: {
      "/api": server,
      "/_allauth": server,
      "/ws": { target: server, ws: true },
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["./src/test/setup.ts"],
    restoreMocks: true,
    sequence: { shuffle: true },
  },
}));
