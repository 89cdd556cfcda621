import { expect, test } from "vitest";
import { column, row, table } from "./samples";
import { canSwitchSlice, EVERY_SLICE, nextSort, readView, sliceAddress, sortAddress, sortRows } from "./view";

const view = (words: string, tables = [table()]) => {
  const found = readView(new URLSearchParams(words), tables);
  if (!found) throw new Error("there is a table, so there is a view");
  return found;
};

test("an empty address shows the whole first table in the order of print", () => {
  expect(view("")).toMatchObject({ slice: EVERY_SLICE, sort: null, table: { id: "paper-1" } });
  expect(view("").columns.map(({ key }) => key)).toEqual(["one.f1", "one.wrong", "two.f1", "two.wrong"]);
});

test("a table that names a main slice shows it first, and every slice when asked", () => {
  const tables = [table({ main_slice: "two" })];
  expect(view("", tables).slice).toBe("two");
  expect(view("slice=every", tables).slice).toBe(EVERY_SLICE);
});

test("unknown words in an address are passed over", () => {
  expect(view("table=x&slice=y&sort=z&first=worst")).toMatchObject({ slice: EVERY_SLICE, sort: null });
});

test("a sort by a column that is not shown is passed over", () => {
  expect(view("slice=two&sort=one.f1").sort).toBeNull();
});

test("without tables there is no view", () => {
  expect(readView(new URLSearchParams(), [])).toBeNull();
});

test("slices are taken apart only where several metrics share them", () => {
  expect(canSwitchSlice(table())).toBe(true);
  expect(canSwitchSlice(table({ metrics: table().metrics.slice(0, 1) }))).toBe(false);
  expect(canSwitchSlice(table({ slices: table().slices.slice(0, 1) }))).toBe(false);
});

test("a link to another slice keeps the sort by its metric", () => {
  const sorted = view("slice=one&sort=one.wrong&first=worst");
  expect(sliceAddress(sorted, "two")).toBe("?table=paper-1&slice=two&sort=two.wrong&first=worst");
  expect(sliceAddress(sorted, EVERY_SLICE)).toBe("?table=paper-1&slice=every");
});

test("what an address says is written back the same", () => {
  for (const words of ["table=paper-1&slice=two", "table=paper-1&slice=two&sort=two.f1&first=worst"]) {
    const read = view(words);
    expect(String(sortAddress(read, read.sort))).toBe(words);
  }
});

test("pressing a head goes from best first to worst first to the order of print", () => {
  const f1 = column("one", "f1");
  const best = nextSort(null, f1);
  expect(best).toEqual({ column: f1, first: "best" });
  const worst = nextSort(best, f1);
  expect(worst).toEqual({ column: f1, first: "worst" });
  expect(nextSort(worst, f1)).toBeNull();
  expect(nextSort(best, column("two", "f1"))?.column.key).toBe("two.f1");
});

const models = (words: string) => sortRows(view(words).table.rows, view(words).sort).map(({ model }) => model);

test("best first is highest first where higher is better, and equals keep the order of print", () => {
  expect(models("sort=one.f1")).toEqual(["b", "c", "a", "d"]);
});

test("best first is lowest first where lower is better", () => {
  expect(models("sort=one.wrong")).toEqual(["c", "a", "b", "d"]);
});

test("a missing value is last whichever end comes first", () => {
  expect(models("sort=one.f1&first=worst")).toEqual(["a", "b", "c", "d"]);
  expect(models("sort=one.wrong&first=worst")).toEqual(["b", "a", "c", "d"]);
});

test("sorting leaves the given rows as they were", () => {
  const rows = [row("1", "a", { "one.f1": "0.1" }), row("2", "b", { "one.f1": "0.9" })];
  sortRows(rows, { column: column("one", "f1"), first: "best" });
  expect(rows.map(({ model }) => model)).toEqual(["a", "b"]);
});
