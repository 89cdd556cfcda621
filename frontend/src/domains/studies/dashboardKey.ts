import type { Id } from "@/api/contract";

/** All that is read under it is read again whenever answers arrive. */
export function dashboardKey(study: Id) {
  return ["board", study];
}
