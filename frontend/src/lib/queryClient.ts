import { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/api/client";

const TRIES_AGAIN = 3;

/** An answer of no is final, and so is having no network; only a silent server is asked again. */
function asksAgain(failures: number, error: Error): boolean {
  const isFinal = error instanceof Problem && error.status < 500;
  return !isFinal && navigator.onLine && failures < TRIES_AGAIN;
}

/**
 * Nothing waits for a network by itself: what is pressed without one says at once that it failed,
 * and is not done later behind her back. What could not be read is read when the network is back.
 */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: "always", refetchOnReconnect: true, retry: asksAgain, staleTime: 10_000 },
      mutations: { networkMode: "always" },
    },
  });
}
