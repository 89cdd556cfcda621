import { useSearchParams } from "react-router";
import type { Order } from "./api";

export const MOST_ANSWERS = 4;
export const FIRST_PATHS = 12;
export const LIMITS = [FIRST_PATHS, 50, 200];

export interface PathChoice {
  from: string | null;
  to: string[];
  hops: number;
  order: Order;
  hubs: boolean;
  limit: number;
  /** The cell that is open: an answer and a kind of path. */
  answer: string | null;
  metapath: string | null;
}

/** Everything that the path page shows is in its address. */
export function readPathChoice(params: URLSearchParams): PathChoice {
  const hops = Number(params.get("hops") ?? 3);
  const limit = Number(params.get("limit") ?? FIRST_PATHS);
  return {
    from: params.get("from"),
    to: [...new Set(params.getAll("to"))].slice(0, MOST_ANSWERS),
    hops: [1, 2, 3].includes(hops) ? hops : 3,
    order: params.get("order") === "degree" ? "degree" : "probability",
    hubs: params.get("hubs") === "1",
    limit: LIMITS.includes(limit) ? limit : FIRST_PATHS,
    answer: params.get("answer"),
    metapath: params.get("kind"),
  };
}

export function usePathSearch() {
  const [params, setParams] = useSearchParams();
  const set = (changes: Record<string, string | string[] | null>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) {
      next.delete(name);
      for (const one of Array.isArray(value) ? value : [value]) if (one) next.append(name, one);
    }
    setParams(next, { replace: true, preventScrollReset: true });
  };
  return { choice: readPathChoice(params), set };
}
