import { useQuery } from "@tanstack/react-query";
import { SelectField } from "@/components/SelectField";
import { toolSessionsQuery, type ToolSession } from "@/domains/evaluation/toolSessions";
import { formatDateTime, formatPlural } from "@/lib/format";

interface Props {
  release: string;
  /** Slug; a session may belong to one model. Empty for a new one. */
  model: string;
  value: string;
  onChange: (session: string) => void;
  error?: string | undefined;
}

/** The session of tool calls that the predictions were made with; nothing where there is none. */
export function SessionField({ release, model, value, onChange, error }: Props) {
  const sessions = useQuery(toolSessionsQuery).data ?? [];
  const fitting = sessions.filter((one) => one.release === release && (one.model === null || one.model.slug === model));
  if (fitting.length === 0) return null;
  return (
    <SelectField
      label="Session of tool calls"
      hint="The calls that the predictions were made with. It takes no more calls then."
      value={fitting.some(({ id }) => id === value) ? value : ""}
      options={[{ value: "", label: "None" }, ...fitting.map((one) => ({ value: one.id, label: sessionLabel(one) }))]}
      onChange={onChange}
      error={error}
    />
  );
}

export function sessionLabel({ created_at: at, calls }: ToolSession): string {
  return `${formatDateTime(at)}, ${formatPlural(calls, "call")}`;
}
