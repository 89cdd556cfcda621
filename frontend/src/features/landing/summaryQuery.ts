import type { components } from "@/api/generated/schema";
import { readQuery } from "@/lib/readQuery";

export type SiteSummary = components["schemas"]["SiteSummary"];

export const summaryQuery = readQuery<SiteSummary>(["site-summary"], "/api/v1/site-summary", { staleTime: 60_000 });
