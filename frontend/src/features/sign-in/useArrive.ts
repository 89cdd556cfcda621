import { useQueryClient } from "@tanstack/react-query";
import { NotKept } from "@/lib/authWords";
import { meQuery } from "@/lib/me";

/** After signing in: learns who she is, and the page leads on from there. */
export function useArrive(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    // What a visitor was shown may differ for a person.
    queries.removeQueries({ predicate: (query) => query.queryKey[0] !== meQuery.queryKey[0] });
    const me = await queries.fetchQuery({ ...meQuery, staleTime: 0 });
    if (!me) throw new NotKept("Signed in, and unknown at the next request.");
  };
}
