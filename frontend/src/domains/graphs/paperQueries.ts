/** Papers that name an entity, of every collection that the reader may see. */
import type { components } from "@/api/generated/schema";
import { readQuery } from "@/lib/readQuery";
import { apiUrl, entityApiUrl, graphKey, type GraphRef } from "./graphQueries";

type Schemas = components["schemas"];

export type Paper = Schemas["Paper"];
export type NamingPapers = Schemas["NamingPapers"];

/** How many papers are listed at first, and on request. */
export const FIRST_PAPERS = 5;
export const MORE_PAPERS = 100;

export function entityPapersQuery(where: GraphRef, id: string, limit: number) {
  const url = apiUrl(entityApiUrl(where, id, "/papers"), { limit, snapshot: where.snapshot, first_seen_until: where.until });
  return readQuery<Schemas["EntityPapers"]>(graphKey(where, "papers", id, limit, where.until), url, { staleTime: 60_000 });
}
