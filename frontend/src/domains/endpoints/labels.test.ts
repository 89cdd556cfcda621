import { expect, it } from "vitest";
import { formatMoney, priceText, probeRows, probeSummary, sizeLabel } from "./labels";

it("writes small amounts and sizes so that they say something", () => {
  expect(["0", "0.0000004", "0.00012", "0.05", "1.2"].map(formatMoney)).toEqual(["$0", "under $0.000001", "$0.00012", "$0.05", "$1.20"]);
  expect([null, 135_000_000, 7_000_000_000].map(sizeLabel)).toEqual(["", "135-million-parameter model", "7-billion-parameter model"]);
});

it("distinguishes a price of zero from an unknown one", () => {
  expect(priceText({ price_in: "0.000000", price_out: "0.000000" })).toBe("free of charge");
  expect(priceText({ price_in: "0.150000", price_out: null })).toBe("");
  expect(priceText({ price_in: "0.150000", price_out: "0.600000" })).toBe("$0.15 in and $0.60 out");
});

it("states what a probe found, what it did not, and why", () => {
  const capabilities = { schema_output: true, object_output: true, tool_calls: false, logprobs: null, repeats: true, counts_tokens: true, token_ratio: 1.234, model_returned: "m", notes: { tool_calls: "rejected: no tools" } };
  expect(probeSummary(capabilities)).toBe("4 of 6 checks passed: JSON schema, JSON object, repeatable answers and token counts. Not checked: log-probabilities.");
  expect(probeSummary({ ...capabilities, schema_output: false, object_output: false, logprobs: false, repeats: false, counts_tokens: false })).toBe("0 of 6 checks passed.");
  const rows = Object.fromEntries(probeRows(capabilities).map(({ check, result, note }) => [check, [result, note]]));
  expect(rows["tool_calls"]).toEqual(["No", "rejected: no tools"]);
  expect(rows["logprobs"]).toEqual(["Could not be checked", ""]);
  expect(rows["counts_tokens"]).toEqual(["Yes", "It counts 1.2 tokens where our estimate counts one."]);
});
