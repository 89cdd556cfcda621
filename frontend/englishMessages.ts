import type { Plugin } from "vite";

export const OTHER_LANGUAGES = /\/node_modules\/react-(aria|aria-components|stately)\/.*\/intl\/.*(?<!\/en-US)\.mjs$/;

/** The screens are in English: React Aria's messages of 33 other languages are left out, and it uses the English ones. */
export function englishMessages(): Plugin {
  return {
    name: "english-messages",
    apply: "build",
    enforce: "pre",
    load: { filter: { id: OTHER_LANGUAGES }, handler: () => "export default undefined;" },
  };
}
