import { expect, test } from "vitest";
import { moveStylesheets } from "../../bodyStyles";

test("stylesheets of the build come after the shell and before the text without scripts, in their order", () => {
  const links = ["a", "b"].map((name) => `<link rel="stylesheet" crossorigin href="/${name}.css">\n`);
  const [script, shell, noScript] = ['<script type="module" src="/a.js"></script>', "<div id=root></div>", "<noscript></noscript>"];
  const html = `<head>${script}\n${links.join("")}</head><body>${shell}\n${noScript}</body>`;

  expect(moveStylesheets(html)).toBe(`<head>${script}\n</head><body>${shell}\n${links.join("")}${noScript}</body>`);
});
