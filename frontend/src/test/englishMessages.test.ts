import { expect, test } from "vitest";
import { OTHER_LANGUAGES } from "../../englishMessages";

const FILES = Object.keys(import.meta.glob("/node_modules/react-aria/dist/**/*.mjs", { exhaustive: true }));

test("messages of React Aria in other languages than English are left out, and nothing else", () => {
  const leftOut = FILES.filter((path) => OTHER_LANGUAGES.test(path));
  const messages = FILES.filter((path) => /\/[a-z]{2}-[A-Z]{2}\.mjs$/.test(path));
  expect(leftOut.length).toBeGreaterThan(100);
  expect(leftOut).toEqual(messages.filter((path) => !path.endsWith("/en-US.mjs")));
  expect(OTHER_LANGUAGES.test("/frontend/src/intl/de-DE.mjs")).toBe(false);
});
