/** The import graph of the front end, read from its source text. */
export const SOURCES = import.meta.glob<string>("/src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"|\bnew URL\(\s*"([^"]+)",\s*import\.meta\.url/g;
const GLOB = /\bimport\.meta\.glob(?:<[^(]*>)?\(([^)]*)\)/g;
const GLOB_PATTERN = /"((?:@\/|\.{1,2}\/|\/)[^"]*)"/g;

/** The absolute path named by a specifier, still without extension; null for a package. */
export function absolutePath(specifier: string, from: string): string | null {
  if (specifier.startsWith("@/")) return `/src/${specifier.slice(2)}`;
  if (specifier.startsWith("/")) return specifier;
  return specifier.startsWith(".") ? new URL(specifier, `file://${from}`).pathname : null;
}

const isPath = (path: string | null): path is string => path !== null;

/** What a file imports: values, types, dynamic imports and workers. */
export function importedPaths(file: string, source: string): string[] {
  return [...source.matchAll(IMPORT)].map(([, module, url]) => absolutePath(module ?? url ?? "", file)).filter(isPath);
}

/** The patterns of a file's `import.meta.glob` calls. */
export function globbedPaths(file: string, source: string): string[] {
  return [...source.matchAll(GLOB)]
    .flatMap(([, patterns = ""]) => [...patterns.matchAll(GLOB_PATTERN)])
    .map(([, pattern = ""]) => absolutePath(pattern, file))
    .filter(isPath);
}

/** The source file at a path without extension; undefined for styles and what is not there. */
export function sourceFile(path: string, sources: Record<string, string> = SOURCES): string | undefined {
  return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => candidate in sources);
}

/** Each file with the source files that it imports. */
export function importGraph(sources: Record<string, string> = SOURCES): Map<string, string[]> {
  const targets = (file: string, source: string) =>
    importedPaths(file, source).flatMap((path) => sourceFile(path, sources) ?? []);
  return new Map(Object.entries(sources).map(([file, source]) => [file, targets(file, source)]));
}

/** One cycle as the files along it, the first repeated at the end; null where there is none. */
export function findCycle(graph: Map<string, string[]>): string[] | null {
  const finished = new Set<string>();
  const visit = (file: string, path: string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return null;
    for (const target of graph.get(file) ?? []) {
      const cycle = visit(target, [...path, file]);
      if (cycle) return cycle;
    }
    finished.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file, []);
    if (cycle) return cycle;
  }
  return null;
}
