import { describe, expect, it } from "vitest";

const SOURCES = import.meta.glob<string>("/src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g;

/** Everything that the files of a place load, however far down. */
function reachable(start: string[]): Set<string> {
  const seen = new Set<string>();
  const ahead = [...start];
  for (let file = ahead.pop(); file !== undefined; file = ahead.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, specifier = ""] of (SOURCES[file] ?? "").matchAll(IMPORTED)) {
      const found = resolve(specifier, file);
      if (found) ahead.push(found);
    }
  }
  return seen;
}

function resolve(specifier: string, from: string): string | undefined {
  if (!/^[@.]\.?\//.test(specifier)) return undefined;
  const path = specifier.startsWith("@/") ? `/src/${specifier.slice(2)}` : new URL(specifier, `file://${from}`).pathname;
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((one) => one in SOURCES);
}

describe("the physician's ranking page", () => {
  it("loads nothing of the workbench, and names no address of it", () => {
    const page = Object.keys(SOURCES).filter((file) => file.startsWith("/src/features/ranking/") && !file.includes(".test."));
    const loaded = [...reachable(page)].filter((file) => !file.includes("/api/generated/"));
    expect(loaded.length).toBeGreaterThan(40);
    expect(loaded.filter((file) => file.includes("/workbench/"))).toEqual([]);
    expect(loaded.filter((file) => /workbench"|\/rns\b|question-sets|serendipity-paths/.test(SOURCES[file] ?? "") && !file.endsWith("/lib/access.ts"))).toEqual([]);
  });
});
