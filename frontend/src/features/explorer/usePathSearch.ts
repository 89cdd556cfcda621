import { useUrlParams } from "@/lib/useUrlParams";
import type { PathOrder } from "./api";

export const MAX_TARGETS = 4;
export const INITIAL_PATHS = 12;
export const PATH_LIMITS = [INITIAL_PATHS, 50, 200];

export type PathSearchState = ReturnType<typeof readPathSearch>;

/** Everything that the path page shows is in its address. */
function readPathSearch(params: URLSearchParams) {
  const hops = Number(params.get("hops") ?? 3);
  const limit = Number(params.get("limit") ?? INITIAL_PATHS);
  const order: PathOrder = params.get("order") === "degree" ? "degree" : "probability";
  return {
    from: params.get("from"),
    to: [...new Set(params.getAll("to"))].slice(0, MAX_TARGETS),
    hops: [1, 2, 3].includes(hops) ? hops : 3,
    order,
    hubs: params.get("hubs") === "1",
    limit: PATH_LIMITS.includes(limit) ? limit : INITIAL_PATHS,
    /** The cell that is open: an answer and a kind of path. */
    answer: params.get("answer"),
    metapath: params.get("kind"),
  };
}

export function usePathSearch() {
  const [params, set] = useUrlParams();
  return { choice: readPathSearch(params), set };
}
