import type { components } from "@/api/generated/schema";
import { readListQuery } from "@/lib/readQuery";

type Schemas = components["schemas"];
export type ModelCost = Schemas["ModelCost"];
export type Spending = Schemas["Spending"];

/** Whose runs: those that boards show, or one's own. */
export type Whose = "public" | "own";

const costsPath = (whose: Whose) => (whose === "own" ? "?own=true" : "");

export const costsQuery = (whose: Whose) => readListQuery<ModelCost>(["model-costs", whose], `/api/v1/model-costs${costsPath(whose)}`);
export const costsFile = (whose: Whose, ending: "csv" | "json") => `/api/v1/model-costs.${ending}${costsPath(whose)}`;

export const spendingQuery = (days: number) => readListQuery<Spending>(["model-spending", days], `/api/v1/model-spending?days=${days}`);
export const spendingFile = (days: number, ending: "csv" | "json") => `/api/v1/model-spending.${ending}?days=${days}`;
