import { describe, expect, it } from "vitest";
import { importGraph, SOURCES } from "./imports";

/** Everything that these files load, however far down. */
function reachable(start: string[]): Set<string> {
  const graph = importGraph();
  const reached = new Set<string>();
  const ahead = [...start];
  for (let file = ahead.pop(); file !== undefined; file = ahead.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    ahead.push(...(graph.get(file) ?? []));
  }
  return reached;
}

describe("the page of an expert's assignments", () => {
  it("loads nothing of the workbench, and contains no URL of it", () => {
    const page = Object.keys(SOURCES).filter((file) => file.startsWith("/src/features/assignments/") && !file.includes(".test."));
    const loaded = [...reachable(page)].filter((file) => !file.includes("/api/generated/"));
    expect(loaded.length).toBeGreaterThan(40);
    expect(loaded.filter((file) => file.includes("/workbench/"))).toEqual([]);
    expect(loaded.filter((file) => /workbench"|\/rns\b|question-sets|serendipity-paths/.test(SOURCES[file] ?? "") && !file.endsWith("/domains/accounts/permissions.ts"))).toEqual([]);
  });
});
