import { Problem, NetworkError, type FieldError } from "@/api/client";

/** What went wrong, for the reader: the server's sentence, or what its silence means. */
export function errorMessage(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (error instanceof NetworkError) return "The server did not answer. Check the connection and try again.";
  return "An unexpected error occurred. Reload the page.";
}

/** What the server found wrong in the fields of a request. */
export function fieldErrors(error: unknown): FieldError[] {
  return error instanceof Problem ? error.body.errors : [];
}

export function fieldMessage(error: unknown, field: string): string | undefined {
  return fieldErrors(error).find(({ place }) => place === field)?.message;
}

/** The message beside the buttons of a form; null where one of its fields shows the same. */
export function formMessage(error: unknown, ...fields: string[]): string | null {
  if (!error) return null;
  const message = errorMessage(error);
  return fields.some((field) => fieldMessage(error, field) === message) ? null : message;
}

/** A retry would not find it either. */
export function isNotFound(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Problem && codes.includes(error.code);
}
