import type { SearchHit } from "./graphQueries";

/** Why a result is here, where its name alone does not show it. */
export function matchLabel({ name, matched }: SearchHit): string | null {
  const { kind, text } = matched;
  if (kind === "identifier") return `identifier ${text}`;
  if (kind === "synonym") return `also called ${text}`;
  if (kind === "typo") return `similar to ${text}`;
  if (kind === "document") return "in its document";
  return text && text !== name && kind === "prefix" ? `also called ${text}` : null;
}
