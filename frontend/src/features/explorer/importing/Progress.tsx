import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/Button";
import { Confirm } from "@/components/Confirm";
import { ProgressBar } from "@/components/ProgressBar";
import { timeLeft } from "@/lib/format";
import { cancelImport, importQuery, type Importing } from "./api";
import styles from "./Importing.module.css";
import { STATES } from "./words";

interface Props {
  of: Importing;
  /** Sent from this page just now. */
  isOwn: boolean;
}

/** How far an import is; the page may be left meanwhile. */
export function Progress({ of, isOwn }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // It stands under a long form: whoever has just sent it is led there.
    if (isOwn) heading.current?.focus();
  }, [isOwn]);
  const { state, doing, percent = 0, seconds_left: left } = of;
  const rest = left === null || left === undefined ? "" : `, ${timeLeft(1000 * left)}`;
  return (
    <section className={styles.section} aria-labelledby="progress">
      <h2 id="progress" ref={heading} tabIndex={-1}>{of.dry_run ? "Trying" : "Importing"} {of.name}</h2>
      <ProgressBar label="Done so far" value={Math.round(percent)} total={100} />
      <p role="status">{STATES[state]}{doing ? `: ${doing}` : ""}, {Math.round(percent)}%{rest}</p>
      <p className={styles.quiet}>It goes on without this page; the address leads back to it.</p>
      <Cancel of={of} />
    </section>
  );
}

/** One that ended meanwhile is not cancelled: then what became of it is read. */
function Cancel({ of: { id, name, dry_run: isDryRun } }: { of: Importing }) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const cancelling = useMutation({
    mutationFn: () => cancelImport(id),
    onSuccess: (cancelled) => queries.setQueryData(importQuery(id).queryKey, cancelled),
    onError: () => void queries.invalidateQueries({ queryKey: importQuery(id).queryKey }),
  });
  return (
    <div>
      <Button onPress={() => setAsking(true)}>Cancel the import</Button>
      <Confirm
        title={`Cancel the import of ${name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action="Cancel the import"
        doing="Cancelling"
        back="Let it go on"
        onConfirm={() => cancelling.mutate()}
        busy={cancelling.isPending}
        error={cancelling.error}
      >
        <p>
          {isDryRun ? "It was only tried, so nothing changes." : "Nothing of it is kept, and what was there before stays as it is."}{" "}
          To begin again, the files are sent again.
        </p>
      </Confirm>
    </div>
  );
}
