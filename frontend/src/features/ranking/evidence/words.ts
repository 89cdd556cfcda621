import { count, plural } from "@/lib/format";
import type { Named, Paths } from "./api";

const HOW: Record<NonNullable<Named["how"]>, string> = {
  identifier: "Matched by identifier",
  cross_reference: "Matched by cross-reference",
  name: "Matched by name alone",
};

const WHY_NOT: Record<NonNullable<Named["why_not"]>, string> = {
  not_in_graph: "This graph has no such entity.",
  several_references: "Several entities of this graph carry its identifier, so none is shown.",
  several_names: "Several entities of this graph have this name, so none is shown.",
  other_identifier: "This graph has an entity of this name with another identifier, so it is not shown.",
};

export function howWords({ how, by }: Pick<Named, "how" | "by">): string {
  if (!how) return "";
  return how === "name" ? HOW.name : `${HOW[how]} ${by}`;
}

export function whyNotWords({ why_not: why }: Pick<Named, "why_not">): string {
  return why ? WHY_NOT[why] : "Not looked up yet.";
}

export function pathsWords({ shown, found, capped, hidden_through_hubs: hidden }: Paths): string {
  const least = capped ? "at least " : "";
  const main = shown === found && !capped ? plural(found, "path") : `${count(shown)} of ${least}${plural(found, "path")} shown`;
  return hidden > 0 ? `${main}, ${least}${count(hidden)} through hubs hidden` : main;
}

/** What the paths begin at: 'leprosy and hypertension'. */
export function listWords(names: string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}
