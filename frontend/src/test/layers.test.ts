import { describe, expect, it } from "vitest";
import { findCycle, globbedPaths, importedPaths, importGraph, SOURCES } from "./imports";

/**
 * What each layer may import besides itself. Each feature, domain and study kind is a layer of its
 * own: features never import each other, study kinds neither.
 *
 * `study-kinds` itself is only the registry beside the kinds' folders. It finds them with
 * `import.meta.glob`, and features get every kind through it, so that adding a kind edits no file.
 */
const BELOW: Record<string, string[]> = {
  app: ["features/*", "study-kinds", "domains/*", "components", "lib", "api", "styles"],
  "features/*": ["study-kinds", "domains/*", "components", "lib", "api"],
  "study-kinds": ["study-kinds/*", "domains/*", "components", "lib", "api"],
  "study-kinds/*": ["domains/*", "components", "lib", "api"],
  "domains/*": ["components", "lib", "api"],
  components: ["lib", "api"],
  lib: ["api"],
  api: [],
};

/** A domain may import those after it in this list. */
const DOMAINS = ["studies", "graphs", "questions", "accounts", "jobs", "leaderboard", "evaluation", "endpoints"];

/** The build's entry points, which belong to no layer. */
const ENTRY_POINTS = ["/src/service-worker.ts"];

/** Every study was a ranking then. */
const VERSION_1 = "/src/lib/offline/upgradeFromV1.ts";

const isTest = (file: string) =>
  file.startsWith("/src/test/") || /\.test\.tsx?$|\/(testing|fixtures)\.tsx?$/.test(file);

/** 'features/dashboard' for '/src/features/dashboard/words.ts'; 'lib' for '/src/lib/uuid.ts'. */
function layerOf(file: string): string {
  const [, , layer = "", folder = "", inside] = file.split("/");
  const isSplit = ["features", "domains", "study-kinds"].includes(layer);
  return isSplit && inside !== undefined ? `${layer}/${folder}` : layer;
}

/** An import of a folder names its index file; beside the kinds' folders is only the registry. */
function layerOfTarget(path: string): string {
  const isFolder = /^\/src\/(features|domains|study-kinds)\/[^/]+$/.test(path) && path !== "/src/study-kinds/registry";
  return layerOf(isFolder ? `${path}/index` : path);
}

const kindOf = (layer: string) => layer.replace(/\/.*/, "/*");
const domainOf = (layer: string) => DOMAINS.indexOf(layer.replace("domains/", ""));

function mayImport(file: string, target: string): boolean {
  const [from, to] = [layerOf(file), layerOfTarget(target)];
  if (from === to || from === "test") return true;
  if (to === "test") return isTest(file);
  if (from.startsWith("domains/") && to.startsWith("domains/")) return domainOf(from) < domainOf(to);
  // A test below the features may import higher layers to set up what it tests.
  if (isTest(file) && (kindOf(to) === "study-kinds/*" || !["features/*", "app"].includes(kindOf(from)))) return true;
  return (BELOW[kindOf(from)] ?? []).includes(kindOf(to));
}

function forbidden(file: string, source: string): string[] {
  return [...importedPaths(file, source), ...globbedPaths(file, source)]
    .filter((target) => !mayImport(file, target))
    .map((target) => `${file} imports ${target}`);
}

describe("the layers", () => {
  const files = Object.keys(SOURCES).filter((file) => !ENTRY_POINTS.includes(file));

  it("have a place for every file", () => {
    const hasPlace = (layer: string) =>
      layer === "test" || (layer.startsWith("domains/") ? domainOf(layer) >= 0 : kindOf(layer) in BELOW);
    expect(files.length).toBeGreaterThan(200);
    expect(files.filter((file) => !hasPlace(layerOf(file)))).toEqual([]);
  });

  it("import downwards only, and no feature another", () => {
    expect(files.flatMap((file) => forbidden(file, SOURCES[file] ?? ""))).toEqual([]);
  });

  it.each([
    ["/src/features/dashboard/RecentActivity.tsx", 'import { x } from "@/features/assignments/labels";'],
    ["/src/features/dashboard/RecentActivity.tsx", 'import type { X } from "../assignments/labels";'],
    ["/src/features/dashboard/RecentActivity.tsx", 'const x = await import("@/features/assignments");'],
    ["/src/features/dashboard/RecentActivity.tsx", 'import { Shell } from "@/app/Shell";'],
    ["/src/features/dashboard/RecentActivity.tsx", 'import { visit } from "@/test/visit";'],
    ["/src/features/dashboard/RecentActivity.tsx", 'import { Editor } from "@/study-kinds/ranking/Editor";'],
    ["/src/features/dashboard/RecentActivity.tsx", 'import { kind } from "@/study-kinds/ranking";'],
    ["/src/app/router.tsx", 'const page = () => import("@/study-kinds/ranking");'],
    ["/src/features/dashboard/RecentActivity.tsx", 'const kinds = import.meta.glob("/src/study-kinds/*/index.ts");'],
    ["/src/study-kinds/ranking/Editor.tsx", 'import { x } from "@/study-kinds/pairs/labels";'],
    ["/src/study-kinds/ranking/Editor.tsx", 'import { kinds } from "@/study-kinds/registry";'],
    ["/src/study-kinds/ranking/Editor.tsx", 'import { x } from "@/features/assignments";'],
    ["/src/study-kinds/registry.ts", 'import { x } from "@/features/assignments";'],
    ["/src/domains/studies/batches.ts", 'import { kinds } from "@/study-kinds/registry";'],
    ["/src/domains/studies/batches.ts", 'const kinds = import.meta.glob<Kind>("/src/study-kinds/*/index.ts", { eager: true });'],
    ["/src/domains/graphs/graphUrls.ts", 'import { x } from "@/domains/studies/batches";'],
    ["/src/domains/accounts/permissions.test.ts", 'import { x } from "../studies/batches";'],
    ["/src/components/Menu.tsx", 'export { x } from "@/features/assignments";'],
    ["/src/components/Menu.tsx", 'import { x } from "@/domains/graphs/graphUrls";'],
    ["/src/lib/currentUser.ts", 'import { Menu } from "../components/Menu";'],
    ["/src/api/client.ts", 'import { me } from "@/lib/currentUser";'],
  ])("are broken by %s with %s", (file, source) => {
    expect(forbidden(file, source)).toHaveLength(1);
  });

  it.each([
    ["/src/features/assignments/QuestionView.tsx", 'import { studyKinds } from "@/study-kinds/registry";'],
    ["/src/study-kinds/registry.ts", 'export const kinds = import.meta.glob("./*/index.ts", { eager: true });'],
    ["/src/study-kinds/ranking/index.ts", 'import { x } from "@/domains/studies/batches";'],
    ["/src/domains/studies/batches.ts", 'import { pathTo } from "../graphs/graphUrls";'],
  ])("allow %s with %s", (file, source) => {
    expect(forbidden(file, source)).toEqual([]);
  });
});

describe("study kinds", () => {
  const kinds = new Set(Object.keys(SOURCES).flatMap((file) => /^\/src\/study-kinds\/([^/]+)\//.exec(file)?.[1] ?? []));
  const isOfNoKind = (file: string) =>
    !isTest(file) && !file.startsWith("/src/study-kinds/") && !file.startsWith("/src/api/generated/") && file !== VERSION_1;
  /** Groundedness is about claims too, judged by a verifier instead of an expert. */
  const isAboutClaims = (file: string) => file.startsWith("/src/features/grounding/") || /groundedness/i.test(file);
  /** 'ranking', 'RankingPage', 'too_few_rankings' of the kind ranking, but not 'cranking'. */
  const names = (kind: string, file: string, source: string) =>
    new RegExp(`(?<![a-zA-Z])${kind}|${kind.replace(/^./, (first) => first.toUpperCase())}`).test(`${file}\n${source}`);

  it("are named in their own folders only", () => {
    expect([...kinds]).toContain("ranking");
    const named = Object.entries(SOURCES).filter(([file, source]) =>
      isOfNoKind(file) && [...kinds].some((kind) => !(kind === "claims" && isAboutClaims(file)) && names(kind, file, source)),
    );
    expect(named.map(([file]) => file)).toEqual([]);
  });

  it("are named where a version of this device's database knew one kind only", () => {
    expect(names("ranking", "", SOURCES[VERSION_1] ?? "")).toBe(true);
  });

  it.each([
    ["/src/features/assignments/RankingPage.tsx", ""],
    ["/src/lib/labels.ts", "const LABELS = { too_few_rankings: 1 };"],
    ["/src/domains/studies/batches.ts", 'const DEFAULT_KIND = "ranking";'],
  ])("are named by %s with '%s'", (file, source) => {
    expect(isOfNoKind(file) && names("ranking", file, source)).toBe(true);
  });
});

describe("imports", () => {
  it("have no cycles, neither of values nor of types", () => {
    const graph = importGraph();
    expect([...graph.values()].flat().length).toBeGreaterThan(1000);
    expect(findCycle(graph)).toBeNull();
  });

  it.each([
    ["values", 'import { b } from "./b";', 'import { a } from "@/lib/a";'],
    ["types", 'import type { B } from "./b";', 'import { type A } from "./a";'],
    ["what is passed on", 'export { b } from "./b";', 'export type { A } from "./a";'],
    ["what is loaded later", 'const b = () => import("./b");', 'import { a } from "./a";'],
    ["several lines", 'import {\n  b,\n  c,\n} from "./b";', 'import { a } from "./a";'],
  ])("with a cycle of %s are found", (_, a, b) => {
    const graph = importGraph({ "/src/lib/a.ts": a, "/src/lib/b.ts": b, "/src/lib/c.ts": 'import { a } from "./a";' });
    expect(findCycle(graph)).toEqual(["/src/lib/a.ts", "/src/lib/b.ts", "/src/lib/a.ts"]);
  });

  it("without one are not", () => {
    expect(findCycle(importGraph({ "/src/lib/a.ts": 'import { b } from "./b";', "/src/lib/b.ts": "" }))).toBeNull();
  });
});
