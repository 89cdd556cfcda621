import { expect, test } from "vitest";
import { tableAsCsv, csvName } from "./csv";
import { row, table } from "./samples";
import { readView, sortRows, type View } from "./view";

function view(words: string, changes: Parameters<typeof table>[0] = {}): View {
  const found = readView(new URLSearchParams(words), [table(changes)]);
  if (!found) throw new Error("there is a table, so there is a view");
  return found;
}

test("the file has the shown columns and rows, in the shown order, with the printed text", () => {
  const shown = view("slice=one&sort=one.wrong");
  expect(tableAsCsv(shown, sortRows(shown.table.rows, shown.sort)).split("\r\n")).toEqual([
    'paper,table,model,setting,provenance,"one f1 (percent, higher is better)","one wrong (percent, lower is better)"',
    "Paper,1 upper,c,,published,70.10,4.00",
    "Paper,1 upper,a,,published,10.00,5.00",
    "Paper,1 upper,b,,published,70.10,6.00",
    "Paper,1 upper,d,,published,,",
    "",
  ]);
});

test("a model named as a formula is text in the file", () => {
  const rows = [row("1", '=HYPERLINK("x")', { "one.f1": "1.00" }, "+set")];
  expect(tableAsCsv(view("slice=one", { rows }), rows)).toContain(
    `Paper,1 upper,"'=HYPERLINK(""x"")",'+set,published,1.00,\r\n`,
  );
});

test("a file's name says its track, table and slice", () => {
  expect(csvName("paper-task", view("slice=two"))).toBe("paper-task-paper-1-two.csv");
  expect(csvName("paper-task", view(""))).toBe("paper-task-paper-1.csv");
});
