import { formatBytes, formatPlural } from "@/lib/format";

/** What the server takes in one upload; a browser that sends more gets no answer, only a cut line. */
const MAX_FILES = 100;
export const MAX_FILE_BYTES = 20_000_000;
/** A little is left for what a form adds around its files. */
export const MAX_UPLOAD_BYTES = 50_000_000;
const MULTIPART_OVERHEAD_BYTES = 500;

export const LIMITS_HINT = `At most ${MAX_FILES} files of ${formatBytes(MAX_FILE_BYTES)}, ${formatBytes(MAX_UPLOAD_BYTES)} together.`;

/** Why these files cannot be sent at once, or nothing. */
export function uploadLimitMessage(files: { name: string; size: number }[]): string | null {
  if (files.length > MAX_FILES) {
    return `These are ${formatPlural(files.length, "file")}; at most ${MAX_FILES} go at once. Import the rest into the same study afterwards.`;
  }
  const large = files.find((file) => file.size > MAX_FILE_BYTES);
  if (large) return `${large.name} has ${formatBytes(large.size)}; a file may have at most ${formatBytes(MAX_FILE_BYTES)}. Split it.`;
  const all = files.reduce((sum, file) => sum + file.size + MULTIPART_OVERHEAD_BYTES, 0);
  if (all <= MAX_UPLOAD_BYTES) return null;
  return `These files have ${formatBytes(all)} together; at most ${formatBytes(MAX_UPLOAD_BYTES)} go at once. Import the rest into the same study afterwards.`;
}
