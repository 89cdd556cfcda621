import { useQuery } from "@tanstack/react-query";
import { SelectField } from "@/components/SelectField";
import { graphsQuery } from "./graphQueries";

interface Props {
  /** 'slug@number', or empty for none. */
  value: string;
  onChange: (named: string) => void;
  label?: string;
  hint?: string;
  /** What stands there while none is chosen. */
  emptyOptionLabel?: string;
  /** What to do where the graphs could not be read. */
  fallbackText?: string;
}

/** A version of a graph, or none: by itself the one whose evidence the experts of a study are shown. */
export function GraphSelect({
  value,
  onChange,
  label = "Graph for evidence",
  hint = "Experts see this graph’s evidence beside each candidate. Your own graph is shared with them.",
  emptyOptionLabel = "No graph",
  fallbackText = "The study can start without one; choose it later.",
}: Props) {
  const query = useQuery(graphsQuery);
  const versions = query.data?.flatMap(({ slug, name, versions: all }) =>
    all.map(({ number }) => ({ value: `${slug}@${number}`, label: `${name}, version ${number}` })),
  );
  return (
    <SelectField
      label={label}
      value={value}
      onChange={onChange}
      options={[{ value: "", label: emptyOptionLabel }, ...(versions ?? [])]}
      hint={query.isError ? `The graphs could not be loaded. ${fallbackText}` : hint}
    />
  );
}
