import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useCurrentUser } from "@/lib/currentUser";
import { isNotFound, errorMessage } from "@/lib/errorMessages";
import { Button } from "./Button";
import { Notice } from "./Notice";
import { useRetry } from "./useRetry";

interface Props<T> {
  query: UseQueryResult<T>;
  /** The true shape of what is coming. */
  skeleton: ReactNode;
  /** Shown instead of an empty list. */
  empty?: ReactNode;
  /** Where another component shows what is read then. */
  onRetry?: () => void;
  children: (data: T) => ReactNode;
}

/** What was read, or its shape while it is read, or what went wrong and one way on. */
export function QueryBoundary<T>({ query, skeleton, empty, onRetry, children }: Props<T>) {
  const { retry, start } = useRetry(query);
  if (empty && Array.isArray(query.data) && query.data.length === 0) return <>{start}{empty}</>;
  if (query.data !== undefined) return <>{start}{children(query.data)}</>;
  if (!query.isError) return <>{start}<div aria-busy="true">{skeleton}</div></>;
  return <>{start}<LoadError error={query.error} onRetry={onRetry ?? retry} isBusy={query.isFetching} /></>;
}

export function LoadError({ error, onRetry, isBusy = false }: { error: unknown; onRetry: () => void; isBusy?: boolean }) {
  return (
    <Notice tone="bad">
      <p>{errorMessage(error)}</p>
      {isNotFound(error) ? <SignInOffer /> : (
        <div><Button onPress={onRetry} isDisabled={isBusy}>{isBusy ? "Trying" : "Try again"}</Button></div>
      )}
    </Notice>
  );
}

/** What a visitor may not see may be theirs once they have signed in. */
function SignInOffer() {
  const me = useCurrentUser();
  const { pathname, search } = useLocation();
  if (me !== null) return null;
  return <p><Link to={`/sign-in?next=${encodeURIComponent(pathname + search)}`}>Sign in</Link> if it is yours or was shared with you.</p>;
}

/** Of one part of a page: names the part that is not there. */
export function PartBoundary<T>({ query, part, children }: { query: UseQueryResult<T>; part: string; children?: (data: T) => ReactNode }) {
  const { retry, start } = useRetry(query);
  if (query.data !== undefined) return <>{start}{children?.(query.data)}</>;
  // What does not exist is no failure: not every track and release has every part.
  if (!query.isError || isNotFound(query.error)) return <>{start}</>;
  return (
    <>
      {start}
      <Notice tone="bad">
        <p>{part} could not be loaded. {errorMessage(query.error)}</p>
        <div><Button onPress={retry} isDisabled={query.isFetching}>Try again</Button></div>
      </Notice>
    </>
  );
}
