import { useQuery } from "@tanstack/react-query";
import { call } from "@/api/client";
import type { components } from "@/api/generated/schema";
import { SelectField } from "./SelectField";

type Graph = components["schemas"]["Graph"];

interface Props {
  /** 'slug@number', or empty for none. */
  value: string;
  onChange: (named: string) => void;
  label?: string;
  hint?: string;
  /** What stands there while none is chosen. */
  none?: string;
  /** What to do where the graphs could not be read. */
  otherwise?: string;
}

/** A version of a graph, or none: by itself the one whose evidence the experts of a study are shown. */
export function GraphChoice({
  value,
  onChange,
  label = "Graph for evidence",
  hint = "Experts see beside each candidate what this graph says of it. A graph of yours is shared with them.",
  none = "No graph",
  otherwise = "The study can do without, and a graph can be chosen later.",
}: Props) {
  const query = useQuery({
    queryKey: ["graphs"],
    queryFn: async ({ signal }) => (await call<{ results: Graph[] }>("/api/v1/graphs", { signal })).results,
  });
  const versions = query.data?.flatMap(({ slug, name, versions: all }) =>
    all.map(({ number }) => ({ value: `${slug}@${number}`, label: `${name}, version ${number}` })),
  );
  return (
    <SelectField
      label={label}
      value={value}
      onChange={onChange}
      options={[{ value: "", label: none }, ...(versions ?? [])]}
      hint={query.isError ? `The graphs could not be read. ${otherwise}` : hint}
    />
  );
}
