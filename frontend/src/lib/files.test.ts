import { expect, test } from "vitest";
import { filesFromDrop, mergeFiles } from "./files";

test("a file chosen twice replaces the first, and files stand in the order of their numbers", () => {
  const file = (name: string, text: string) => new File([text], name);
  const again = file("batch2.json", "new");
  const files = mergeFiles([file("batch10.json", ""), file("batch2.json", "old")], [again, file("batches.json", "")]);
  expect(files.map(({ name }) => name)).toEqual(["batch2.json", "batch10.json", "batches.json"]);
  expect(files[0]).toBe(again);
});

test("a dropped folder gives its files of the ending that is wanted, a dropped file itself, a dropped text nothing", async () => {
  const dropped = (name: string) => ({
    kind: "file" as const,
    name,
    type: "application/json",
    getFile: () => Promise.resolve(new File([], name)),
    getText: () => Promise.resolve(""),
  });
  async function* entries() {
    yield dropped("batch1.json");
    yield dropped("notes.txt");
  }
  const folder = { kind: "directory" as const, name: "serenqa", getEntries: entries };
  const text = { kind: "text" as const, types: new Set(["text/plain"]), getText: () => Promise.resolve("") };
  const files = await filesFromDrop([folder, dropped("batch2.json"), text], ".json");
  expect(files.map(({ name }) => name)).toEqual(["batch1.json", "batch2.json"]);
  expect(await filesFromDrop([folder], "")).toHaveLength(2);
});
