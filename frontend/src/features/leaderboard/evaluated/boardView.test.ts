import { expect, test } from "vitest";
import type { Board } from "@/domains/evaluation/queries";
import { compareChanges, nextBoardSort, pageQuery, readBoardView, sortChanges } from "./boardView";

const metric = (id: string, direction: "higher" | "lower") => ({ id, label: id, unit: "percent", direction, description: "" });
const board = { metrics: [metric("mrr", "higher"), metric("error", "lower")] } as Board;
const viewOf = (words: string) => readBoardView(new URLSearchParams(words));

test("an empty address is the present standing of the test items by rank", () => {
  expect(viewOf("")).toMatchObject({ split: "test", at: null, sort: null, offset: 0, compared: [] });
  expect(pageQuery(viewOf(""))).toBe("split=test");
});

test("the whole state goes from the address to the server", () => {
  const words = "split=dev&at=2026-11-22T10:00:00Z&part=one&by=cost&order=descending&text=a%26b&source=baseline&source=evaluated&hide=sampled&from=100";
  expect(pageQuery(viewOf(words))).toBe(
    "split=dev&at=2026-11-22T10%3A00%3A00Z&slice=one&text=a%26b&provenance=baseline&provenance=evaluated&hide=sampled&sort=cost&order=descending&offset=100",
  );
});

test("what the address cannot mean is passed over", () => {
  expect(viewOf("split=train&from=-5&order=x&by=mrr")).toMatchObject({ split: "test", offset: 0, sort: { column: "mrr", order: "ascending" } });
  expect(viewOf("from=abc").offset).toBe(0);
  expect(viewOf("compare=a&compare=b&compare=c").compared).toEqual(["a", "b"]);
});

test("a first press shows the best, a second the worst, a third the order of ranks", () => {
  const best = nextBoardSort(board, null, "mrr");
  expect(best).toEqual({ column: "mrr", order: "descending" });
  const worst = nextBoardSort(board, best, "mrr");
  expect(worst).toEqual({ column: "mrr", order: "ascending" });
  expect(nextBoardSort(board, worst, "mrr")).toBeNull();
  expect(nextBoardSort(board, worst, "error")).toEqual({ column: "error", order: "ascending" });
  expect(nextBoardSort(board, null, "cost")?.order).toBe("ascending");
});

test("another order begins at the first page", () => {
  expect(sortChanges(null)).toEqual({ by: null, order: null, from: null });
});

test("a third entry takes the place of the first chosen", () => {
  expect(compareChanges(["a", "b"], "c")).toEqual({ compare: ["b", "c"] });
  expect(compareChanges(["a", "b"], "a")).toEqual({ compare: ["b"] });
});
