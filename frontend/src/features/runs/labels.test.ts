import { describe, expect, it } from "vitest";
import { answerText } from "./labels";

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
