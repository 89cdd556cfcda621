import { Link } from "react-router";
import { Problem } from "@/api/client";
import { LoadError } from "@/components/QueryBoundary";
import { canOpen } from "@/domains/accounts/permissions";
import { useCurrentUser } from "@/lib/currentUser";
import { isNotFound } from "@/lib/errorMessages";
import type { Options } from "./options";
import styles from "./QuestionPage.module.css";

interface Props {
  error: unknown;
  onRetry: () => void;
  busy: boolean;
  /** 'slug@number', where it is known. */
  graph?: string;
  options: Partial<Options>;
}

/** What went wrong; where somebody must have something computed first, the way to that. */
export function WorkbenchError({ error, onRetry, busy, graph = "", options }: Props) {
  const me = useCurrentUser();
  const lacking = error instanceof Problem && error.code === "not_computed" ? error.body : null;
  const may = me && canOpen(me, "coordinator");
  return (
    <>
      <LoadError error={error} onRetry={onRetry} isBusy={busy} />
      {isNotFound(error) && <p><Link to="/workbench">Show the question sets</Link></p>}
      {lacking && may && <p><Link to={computeUrl(String(lacking.kind), graph, options)}>Start the computation</Link></p>}
      {lacking && !may && (
        <p className={styles.quiet}>
          The graph needs a one-time computation. A coordinator can start it under Computations, or an administrator with <code>{String(lacking.command)}</code>.
        </p>
      )}
    </>
  );
}

function computeUrl(kind: string, graph: string, options: Partial<Options>): string {
  const query = new URLSearchParams({ kind, ...(graph && { graph }), ...options });
  return `/workbench/computations?${query.toString()}`;
}
