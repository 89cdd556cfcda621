import { Link } from "react-router";
import { formatPlural } from "@/lib/format";

interface Props {
  /** Null where the submission names no session. */
  calls: number | null;
  /** Null where the user may not read the calls. */
  session: string | null;
}

/** How many tool calls the predictions were made with, and where to read them. */
export function ToolCallsNote({ calls, session }: Props) {
  if (calls === null) return null;
  const text = `Made with ${formatPlural(calls, "tool call")}`;
  return <>{session ? <Link to={`/tool-sessions/${session}`}>{text}</Link> : text}</>;
}
