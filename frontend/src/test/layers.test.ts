import { describe, expect, it } from "vitest";

const SOURCES = import.meta.glob<string>("/src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g;

/** What each layer may import besides itself; a feature is a layer of its own. */
const BELOW: Record<string, string[]> = {
  app: ["features/*", "components", "lib", "api", "styles"],
  "features/*": ["components", "lib", "api"],
  components: ["lib", "api"],
  lib: ["api"],
  api: [],
  test: ["app", "features/*", "components", "lib", "api"],
};

const isTest = (file: string) => /\.test\.tsx?$|\/testing\.tsx$|\/samples\.ts$/.test(file);

/** 'features/board' of '/src/features/board/Now.tsx'. */
function layerOf(file: string): string {
  const [, , layer = "", feature = ""] = file.split("/");
  return layer === "features" ? `features/${feature}` : layer;
}

const kindOf = (layer: string) => (layer.startsWith("features/") ? "features/*" : layer);

/** The file that a specifier names, seen from another; null for a package. */
function resolve(specifier: string, from: string): string | null {
  if (specifier.startsWith("@/")) return `/src/${specifier.slice(2)}`;
  return specifier.startsWith(".") ? new URL(specifier, `file://${from}`).pathname : null;
}

function mayImport(file: string, target: string): boolean {
  const [from, to] = [layerOf(file), layerOf(target)];
  if (from === to) return true;
  if (to === "test") return isTest(file);
  // A test of a layer may set its scene with what stands above it.
  return (isTest(file) && kindOf(from) !== "features/*") || (BELOW[kindOf(from)] ?? []).includes(kindOf(to));
}

function forbidden(file: string, source: string): string[] {
  return [...source.matchAll(IMPORTED)]
    .map(([, specifier = ""]) => resolve(specifier, file))
    .filter((target) => target !== null && !mayImport(file, target))
    .map((target) => `${file} imports ${target}`);
}

describe("the layers", () => {
  it("import downwards only, and no feature another", () => {
    const entries = Object.entries(SOURCES).filter(([file]) => layerOf(file) in BELOW || layerOf(file).startsWith("features/"));
    expect(entries.length).toBeGreaterThan(200);
    expect(entries.flatMap(([file, source]) => forbidden(file, source))).toEqual([]);
  });

  it.each([
    ["/src/features/board/Now.tsx", 'import { x } from "@/features/ranking/words";'],
    ["/src/features/board/Now.tsx", 'import type { X } from "../ranking/words";'],
    ["/src/features/board/Now.tsx", 'const x = await import("@/features/ranking");'],
    ["/src/features/board/Now.tsx", 'import { Shell } from "@/app/Shell";'],
    ["/src/features/board/Now.tsx", 'import { visit } from "@/test/visit";'],
    ["/src/components/Menu.tsx", 'export { x } from "@/features/ranking";'],
    ["/src/lib/me.ts", 'import { Menu } from "../components/Menu";'],
    ["/src/api/client.ts", 'import { me } from "@/lib/me";'],
  ])("are broken by %s with %s", (file, source) => {
    expect(forbidden(file, source)).toHaveLength(1);
  });
});
