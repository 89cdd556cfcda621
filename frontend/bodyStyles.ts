import type { Plugin } from "vite";

const STYLESHEETS = /[ \t]*<link rel="stylesheet"[^>]*>\n?/g;

/** Stylesheets of the build come after the shell: it is painted without them, and scripts still wait for them. */
export function bodyStyles(): Plugin {
  return {
    name: "body-styles",
    apply: "build",
    transformIndexHtml: { order: "post", handler: moveStylesheets },
  };
}

export function moveStylesheets(html: string): string {
  const links = html.match(STYLESHEETS)?.join("") ?? "";
  return html.replace(STYLESHEETS, "").replace(/[ \t]*<noscript>/, (noScript) => links + noScript);
}
