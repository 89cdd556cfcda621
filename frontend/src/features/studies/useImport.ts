import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { Imported } from "@/api/contract";
import { meQuery } from "@/lib/me";

interface Questionnaire {
  name: string;
  files: File[];
  graph: string;
}

/** Sends the files; a study made, or grown, is news to the list of studies and to who may what. */
export function useImport() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ name, files, graph }: Questionnaire) => {
      const form = new FormData();
      form.set("name", name);
      if (graph) form.set("graph", graph);
      for (const file of files) form.append("files", file);
      return call<Imported>("/api/v1/studies/import", { method: "POST", form });
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["studies"] }),
        queries.invalidateQueries({ queryKey: ["board"] }),
        queries.invalidateQueries({ queryKey: meQuery.queryKey }),
      ]),
  });
}
