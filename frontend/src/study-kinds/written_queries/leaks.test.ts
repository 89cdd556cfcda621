import { expect, it } from "vitest";
import CASES from "../../../../annotation/kinds/written_queries/leak_cases.json";
import { findLeaks, namesOfAnswer } from "./leaks";

it.each(CASES)("finds the same names as the server in ‘$text’", ({ text, names, leaks }) => {
  expect(findLeaks(text, names)).toEqual(leaks);
});

it("identifiers count with and without their prefix, but not as bare numbers", () => {
  const names = namesOfAnswer({ answer: "Aspirin", synonyms: ["ASA"], identifiers: ["DRUGBANK:DB00945", "CHEBI:15365", "X1"] });
  expect(names).toEqual(["Aspirin", "ASA", "DRUGBANK:DB00945", "DB00945", "CHEBI:15365", "X1"]);
});
