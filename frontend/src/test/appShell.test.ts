import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const html = readFileSync("index.html", "utf8");

describe("the page before its scripts run", () => {
  const page = new DOMParser().parseFromString(html, "text/html");

  it("shows the bar and the shape of a page inside the element that React replaces", () => {
    const shell = page.querySelector("#root > .shell");
    expect(shell?.textContent.trim()).toBe("Serendib");
    expect(shell?.querySelectorAll("i")).toHaveLength(4);
  });

  it("has what backend/config/page_outlines.py replaces: description, title, bars and the text without scripts", () => {
    for (const part of [/<meta name="description"[^>]*>/, /<title>[^<]*<\/title>/, /(?:<i><\/i>\s*)+/, /<noscript>.*?<\/noscript>/s]) {
      expect(html.match(new RegExp(part, `${part.flags}g`))).toHaveLength(1);
    }
  });

  it("carries its own styles", () => {
    expect(page.querySelector("style")?.textContent).toContain(".shell");
  });
});
