import type { DropItem } from "react-aria-components";

/** The files that were dropped, and those right in a folder that was. */
export async function filesFromDrop(items: Iterable<DropItem> | AsyncIterable<DropItem>, ending: string): Promise<File[]> {
  const files: File[] = [];
  for await (const item of items) {
    if (item.kind === "file") files.push(await item.getFile());
    else if (item.kind === "directory") files.push(...(await filesInDirectory(item, ending)));
  }
  return files;
}

/** A folder may hold anything; only what has the ending is taken. */
async function filesInDirectory(folder: Extract<DropItem, { kind: "directory" }>, ending: string): Promise<File[]> {
  const files: File[] = [];
  for await (const entry of folder.getEntries()) {
    if (entry.kind === "file" && entry.name.endsWith(ending)) files.push(await entry.getFile());
  }
  return files;
}

const byNumber = new Intl.Collator("en", { numeric: true });

/** One of each name, the newest, in the order of their numbers. */
export function mergeFiles(files: File[], more: File[]): File[] {
  const named = new Map([...files, ...more].map((file) => [file.name, file]));
  return [...named.values()].toSorted((a, b) => byNumber.compare(a.name, b.name));
}
