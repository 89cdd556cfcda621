import { describe, expect, it } from "vitest";
import { answerText, papersText } from "./labels";

describe("the papers of a run", () => {
  it("are stated without a cut-off that the run has not", () => {
    const papers = { collection: "Demo papers", papers: 300 };
    expect(papersText({ ...papers, undated: null, later: null })).toBe("Prompts have papers of Demo papers, 300 papers.");
    expect(papersText({ ...papers, undated: 0, later: 2 })).toBe("Prompts have papers of Demo papers, 300 papers. Left out by the cut-off: 2 later, 0 without a date or PMID.");
  });
});

describe("an answer", () => {
  it("is shown by its fields where it is a JSON object", () => {
    expect(answerText('{"label": "inhibit", "links": [1, 2]}')).toBe("label: inhibit; links: [1,2]");
  });

  it.each(["[1, 2]", '{"label": ', "no label", "null"])("is shown as it is: %s", (text) => {
    expect(answerText(text)).toBe(text);
  });

  it("is cut after 300 characters", () => {
    expect(answerText("x".repeat(301))).toBe(`${"x".repeat(300)}…`);
  });
});
