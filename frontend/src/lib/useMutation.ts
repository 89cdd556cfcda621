import { useMutation as useQueryMutation, type DefaultError, type MutateOptions, type QueryClient, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";
import { useCallback, useRef } from "react";

declare module "@tanstack/react-query" {
  interface Register {
    /** isLong: of a file, or of work that takes long. The page shows that it is under way; a slow answer is no fault. */
    mutationMeta: { isLong?: boolean };
  }
}

type Start<Data, Failure, Variables, Context> = (variables: Variables, options?: MutateOptions<Data, Failure, Variables, Context>) => Promise<Data>;

/** A repeat within this time after the answer is still the same double click. */
const DOUBLE_CLICK_MS = 500;

/** Counts changes of fields: a request may read them besides its variables. */
let changes = 0;
for (const kind of ["input", "change"]) document.addEventListener(kind, () => { changes += 1; }, { capture: true });

/**
 * The library's, but a repeat of what is under way does nothing: a double click is one request.
 * After a change of a field the same variables are a request of their own.
 */
export function useMutation<Data = unknown, Failure = DefaultError, Variables = void, Context = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Context>,
  client?: QueryClient,
): UseMutationResult<Data, Failure, Variables, Context> {
  const mutation = useQueryMutation(options, client);
  const current = useRef<{ variables: Variables; changes: number; answer: Promise<Data> } | null>(null);
  const start = mutation.mutateAsync as Start<Data, Failure, Variables, Context>;
  const mutateAsync = useCallback(
    (variables: Variables, more?: MutateOptions<Data, Failure, Variables, Context>) => {
      const last = current.current;
      if (last?.changes === changes && isSame(last.variables, variables)) return last.answer;
      const own = { variables, changes, answer: start(variables, more) };
      current.current = own;
      const end = () => {
        if (current.current === own) current.current = null;
      };
      own.answer.then(() => setTimeout(end, DOUBLE_CLICK_MS), end);
      return own.answer;
    },
    [start],
  );
  const mutate = useCallback(
    (variables: Variables, more?: MutateOptions<Data, Failure, Variables, Context>) => {
      mutateAsync(variables, more).catch(() => {}); // the state of the mutation has the error
    },
    [mutateAsync],
  );
  return { ...mutation, mutate, mutateAsync } as UseMutationResult<Data, Failure, Variables, Context>;
}

/** Equal values; objects by their fields, files by identity. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other)) return false;
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return keys.length === others.length && keys.every((key) => key in other && isSame(one[key], other[key]));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);
}
