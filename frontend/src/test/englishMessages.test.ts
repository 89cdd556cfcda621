import { expect, test } from "vitest";
import { OTHER_LANGUAGES } from "../../englishMessages";

const MESSAGES = "/frontend/node_modules/react-aria/dist/private/intl";

test("messages of React Aria in other languages than English are left out, and nothing else", () => {
  const isLeftOut = (path: string) => OTHER_LANGUAGES.test(path);
  expect([`${MESSAGES}/menu/de-DE.mjs`, `${MESSAGES}/dnd/zh-TW.mjs`, "/a/node_modules/react-aria-components/dist/private/intl/fr-FR.mjs"].every(isLeftOut)).toBe(true);
  expect([`${MESSAGES}/menu/en-US.mjs`, "/a/node_modules/react-aria/dist/private/menu/intlStrings.mjs", "/frontend/src/intl/de-DE.mjs"].some(isLeftOut)).toBe(false);
});
