import { useUrlParams } from "@/lib/useUrlParams";

export const DRAWS = [100, 1000, 10_000];
const DEFAULT_DRAWS = 1000;
const DEFAULT_HOPS = 2;

export type PathTestState = ReturnType<typeof readPathTest>;

/** Everything that the test depends on is in the address; what is not a number there has its default. */
function readPathTest(params: URLSearchParams) {
  const hops = Number(params.get("hops") ?? DEFAULT_HOPS);
  const draws = Number(params.get("draws") ?? DEFAULT_DRAWS);
  const seed = params.get("seed") ?? "";
  return {
    from: params.get("from"),
    to: params.get("to"),
    metapath: params.get("kind"),
    hops: [1, 2, 3].includes(hops) ? hops : DEFAULT_HOPS,
    draws: DRAWS.includes(draws) ? draws : DEFAULT_DRAWS,
    seed: /^\d{1,9}$/.test(seed) ? Number(seed) : 0,
  };
}

export function usePathTest() {
  const [params, set] = useUrlParams();
  return { choice: readPathTest(params), set };
}
