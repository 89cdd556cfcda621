import { useQueryClient } from "@tanstack/react-query";
import { NetworkError, request } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { releaseUrl, type Release } from "@/domains/evaluation/queries";
import { readListQuery, readQuery } from "@/lib/readQuery";
import { useMutation } from "@/lib/useMutation";

type Schemas = components["schemas"];
export type BoardChanges = Schemas["BoardChanges"];
export type BoardChange = Schemas["BoardChange"];
export type EntryChange = Schemas["EntryChange"];
export type EntryOnBoard = Schemas["EntryOnBoard"];
export type PoolBounds = Schemas["PoolBounds"];
export type ItemReport = Schemas["ItemReport"];
export type ReportKind = Schemas["ItemReportKind"];
export type ItemKey = ItemReport["item"];
export type ItemContent = ItemReport["content"];
type StartedCorrection = Schemas["StartedCorrection"];

export interface Item {
  key: ItemKey;
  content: ItemContent;
}

export interface Correction {
  key: ItemKey;
  action: "withdraw" | "answer";
  answer?: unknown;
}

export const reportsQuery = (slug: string) =>
  readListQuery<ItemReport>(["releases", slug, "reports"], `${releaseUrl(slug)}/reports?limit=200`);

export const changesQuery = (slug: string, split: string, offset: number) =>
  readQuery<BoardChanges>(
    ["boards", slug, "changes", split, offset],
    `/api/v1/boards/${encodeURIComponent(slug)}/changes?${new URLSearchParams({ split, offset: String(offset) })}`,
  );

/** The public items of all splits. They never change, and there may be many of them. */
export function itemsQuery({ slug, items, key_fields: fields }: Release) {
  const splits = Object.keys(items).filter((split) => (items[split] ?? 0) > 0);
  return {
    queryKey: ["releases", slug, "items"],
    staleTime: Infinity,
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const files = await Promise.all(splits.map((split) => readItems(slug, split, signal)));
      return files.flat().map((content): Item => ({ key: fields.map((field) => content[field] as string | number), content }));
    },
  };
}

/** One JSON object a line. */
async function readItems(slug: string, split: string, signal: AbortSignal): Promise<ItemContent[]> {
  const response = await fetch(`${releaseUrl(slug)}/items?split=${split}`, { signal });
  if (!response.ok) throw new NetworkError("The server did not answer.");
  const lines = (await response.text()).split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as ItemContent);
}

interface NewReport {
  item: ItemKey;
  kind: ReportKind;
  text: string;
}

export function useReport(slug: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (report: NewReport) => request<ItemReport>(`${releaseUrl(slug)}/reports`, { method: "POST", json: report }),
    onSuccess: () => queries.invalidateQueries(reportsQuery(slug)),
  });
}

export function useDecision(slug: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decision: { state: "accepted" | "dismissed"; reply: string }) =>
      request<ItemReport>(`${releaseUrl(slug)}/reports/${id}`, { method: "PATCH", json: decision }),
    onSuccess: () => queries.invalidateQueries(reportsQuery(slug)),
  });
}

export function useCorrect(slug: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { name: string; corrections: Correction[] }) =>
      request<StartedCorrection>(`${releaseUrl(slug)}/corrections`, { method: "POST", json: body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["releases"] }),
  });
}
