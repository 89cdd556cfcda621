/// <reference types="vitest/config" />
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { bodyStyles } from "./bodyStyles.ts";
import { englishMessages } from "./englishMessages.ts";
import { precompress } from "./precompress.ts";

// The page's own host is passed on: the server refuses writes that seem to come from elsewhere.
const server = { target: process.env.BACKEND ?? "http://127.0.0.1:8000", changeOrigin: false };

/** React Router's package names its development build for every bundler; the other leaves its warnings out. */
function productionRouter(command: string) {
  if (command !== "build") return [];
  const build = (file: string) => fileURLToPath(new URL(`./node_modules/react-router/dist/production/${file}`, import.meta.url));
  return [
    { find: /^react-router$/, replacement: build("index.mjs") },
    { find: /^react-router\/dom$/, replacement: build("dom-export.mjs") },
  ];
}

export default defineConfig(({ command }) => ({
  base: command === "build" ? "/static/web/" : "/",
  plugins: [react(), englishMessages(), bodyStyles(), precompress()],
  resolve: { alias: [...productionRouter(command), { find: "@", replacement: fileURLToPath(new URL("./src", import.meta.url)) }] },
  build: {
    manifest: true,
    outDir: "dist",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // What most pages share is one file: a hundred of a few hundred bytes each cost more in headers than in content.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "common", minShareCount: 20 }] } } },
  },
  server: {
    port: 5173,
    proxy: {
      "/api": server,
      "/_allauth": server,
      "/ws": { ...server, ws: true },
    },
  },
  test: {
    environment: "jsdom",
    setupFiles: ["./src/test/setup.ts"],
    restoreMocks: true,
    unstubGlobals: true,
    // One worker for each of two cores, with modules and DOM shared by its files: test/setup.ts cleans up.
    isolate: false,
    maxWorkers: 2,
    sequence: { shuffle: true },
    // It only ends a test that has gone wrong: a loaded machine draws slowly.
    testTimeout: 20_000,
  },
}));
