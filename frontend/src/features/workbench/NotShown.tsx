import { Link } from "react-router";
import { Problem } from "@/api/client";
import { Failure } from "@/components/Loadable";
import { mayOpen } from "@/lib/access";
import { useMe } from "@/lib/me";
import { isMissing } from "@/lib/problems";
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
export function NotShown({ error, onRetry, busy, graph = "", options }: Props) {
  const me = useMe();
  const lacking = error instanceof Problem && error.code === "not_computed" ? error.body : null;
  const may = me && mayOpen(me, "coordinator");
  return (
    <>
      <Failure error={error} onRetry={onRetry} busy={busy} />
      {isMissing(error) && <p><Link to="/workbench">See the question sets that are here</Link></p>}
      {lacking && may && <p><Link to={computePlace(String(lacking.kind), graph, options)}>Have it computed</Link></p>}
      {lacking && !may && (
        <p className={styles.quiet}>
          It is computed once. Whoever runs this Serendib does it with <code>{String(lacking.command)}</code>; a coordinator can ask
          for it on the page of computations.
        </p>
      )}
    </>
  );
}

function computePlace(kind: string, graph: string, options: Partial<Options>): string {
  const wanted = new URLSearchParams({ kind, ...(graph && { graph }), ...options });
  return `/workbench/computations?${wanted.toString()}`;
}
