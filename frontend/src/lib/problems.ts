import { Problem, Unreachable } from "@/api/client";

/** What went wrong, for the reader: the server's sentence, or what its silence means. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (error instanceof Unreachable) return "The server did not answer. Check the connection and try again.";
  return "This page met something it did not expect. Load it again.";
}

/** Asked again, it would still not be there. */
export function isMissing(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Problem && codes.includes(error.code);
}
