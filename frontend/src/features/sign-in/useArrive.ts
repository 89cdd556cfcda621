import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearchParams } from "react-router";
import { landingFor, safePath } from "@/lib/access";
import { meQuery } from "@/lib/me";

/** After signing in: to the page that was asked for, else to where this person's work is. */
export function useArrive(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return async () => {
    // What a visitor was shown may differ for a person.
    queries.removeQueries({ predicate: (query) => query.queryKey[0] !== meQuery.queryKey[0] });
    const me = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
    const next = safePath(search.get("next"));
    await navigate(next ?? (me ? landingFor(me).to : "/"), { replace: true });
  };
}
