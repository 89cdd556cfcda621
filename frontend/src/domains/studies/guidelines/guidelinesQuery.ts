import type { Guidelines, Id } from "@/api/contract";
import { readQuery } from "@/lib/readQuery";

export const guidelinesPath = (study: Id) => `/api/v1/studies/${study}/guidelines`;

/** Read anew each time: what is acknowledged must be the newest. */
export const guidelinesQuery = (study: Id) => readQuery<Guidelines>(["guidelines", study], guidelinesPath(study), { staleTime: 0, gcTime: 0 });
