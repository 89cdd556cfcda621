import { existsSync, readFileSync } from "node:fs";
import { defineConfig } from "vite";

interface Chunk {
  file: string;
  css?: string[];
  assets?: string[];
}

const DIST = new URL("./dist/", import.meta.url);

/** Every file that the page may need offline, from the manifest of the build before this one. */
function builtFiles(): string[] {
  const manifest = new URL(".vite/manifest.json", DIST);
  if (!existsSync(manifest)) throw new Error("Build the page before its service worker.");
  const chunks = Object.values(JSON.parse(readFileSync(manifest, "utf8")) as Record<string, Chunk>);
  const files = chunks.flatMap((chunk) => [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]);
  return [...new Set(files)].map((file) => `/static/web/${file}`).sort();
}

export default defineConfig({
  define: { __SHELL_FILES__: JSON.stringify(builtFiles()) },
  build: {
    outDir: "dist",
    emptyOutDir: false,
    copyPublicDir: false,
    lib: { entry: "src/service-worker.ts", formats: ["es"], fileName: () => "sw.js" },
  },
});
