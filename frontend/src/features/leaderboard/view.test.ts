import { expect, test } from "vitest";
import { makeRow, makeTable } from "./fixtures";
import { pressColumn, readView, siblingColumn, sortRows, tableUrl, viewUrl } from "./view";

const viewOf = (words: string, tables = [makeTable()]) => {
  const view = readView(new URLSearchParams(words), tables);
  if (!view) throw new Error("there is a table, so there is a view");
  return view;
};
const order = (words: string, tables = [makeTable()]) => sortRows(viewOf(words, tables)).map(({ id }) => id);

test("an empty address shows the main column of the first table, best first", () => {
  const view = viewOf("");
  expect(view).toMatchObject({ table: { id: "paper-1" }, column: { key: "one.f1" }, order: "best", isWhole: false });
  expect(view.columns.map(({ key }) => key)).toEqual(["one.f1"]);
});

test("the address names another column, or all of them", () => {
  expect(viewOf("slice=two&metric=wrong").column.key).toBe("two.wrong");
  expect(viewOf("metric=wrong").column.key).toBe("one.wrong");
  expect(viewOf("printed=all").columns.map(({ key }) => key)).toEqual(["one.f1", "one.wrong", "two.f1", "two.wrong"]);
});

test("unknown words in an address are passed over", () => {
  expect(viewOf("table=x&slice=y&metric=z&printed=z")).toMatchObject({ column: { key: "one.f1" }, isWhole: false });
});

test("without tables there is no view", () => {
  expect(readView(new URLSearchParams(), [])).toBeNull();
});

test("what an address names is written back the same", () => {
  for (const words of ["table=paper-1", "table=paper-1&slice=two&metric=f1&first=worst", "table=paper-1&printed=all"]) {
    expect(viewUrl(viewOf(words))).toBe(`?${words}`);
  }
});

test("the state of the board above stays in the address, and another table begins at its main column", () => {
  const view = viewOf("release=pairs&by=cost&table=paper-1&slice=two");
  expect(viewUrl(view)).toBe("?release=pairs&by=cost&table=paper-1&slice=two&metric=f1");
  expect(tableUrl(view, makeTable({ id: "paper-2" }))).toBe("?release=pairs&by=cost&table=paper-2");
});

test("another measure stays over the same items, and other items with the same measure", () => {
  const view = viewOf("slice=two&metric=wrong");
  expect(siblingColumn(view, { metric: "f1" }).key).toBe("two.f1");
  expect(siblingColumn(view, { slice: "one" }).key).toBe("one.wrong");
});

test("pressing a head goes from best first to worst first and back; another column begins at its best", () => {
  const view = viewOf("");
  expect(pressColumn(view, view.column).order).toBe("worst");
  expect(pressColumn(viewOf("first=worst"), view.column).order).toBe("best");
  expect(pressColumn(viewOf("first=worst"), siblingColumn(view, { metric: "wrong" })).order).toBe("best");
});

test("best first follows the direction of the metric, and equal values keep the order of print", () => {
  expect(order("")).toEqual(["2", "3", "1", "4"]);
  expect(order("metric=wrong")).toEqual(["3", "1", "2", "4"]);
});

test("a missing value is last whichever end comes first", () => {
  expect(order("first=worst")).toEqual(["1", "2", "3", "4"]);
});

test("rows over a sample come after all others, and rows that do not compete keep their order", () => {
  const rows = [{ ...makeRow("1", "a", { "one.f1": "90.00" }), sample: "10 %" }, makeRow("2", "b", { "one.f1": "10.00" })];
  expect(order("", [makeTable({ rows })])).toEqual(["2", "1"]);
  expect(order("", [makeTable({ is_ranked: false })])).toEqual(["1", "2", "3", "4"]);
});
