import { bytes, plural } from "@/lib/format";

/** What the server takes in one upload; a browser that sends more gets no answer, only a cut line. */
export const MOST_FILES = 100;
export const LARGEST_FILE = 20_000_000;
/** A little is left for what a form adds around its files. */
export const LARGEST_UPLOAD = 50_000_000;
const AROUND_A_FILE = 500;

export const LIMITS = `At most ${MOST_FILES} files of ${bytes(LARGEST_FILE)}, ${bytes(LARGEST_UPLOAD)} together.`;

/** Why these files cannot be sent at once, or nothing. */
export function tooMuch(files: { name: string; size: number }[]): string | null {
  if (files.length > MOST_FILES) {
    return `These are ${plural(files.length, "file")}; at most ${MOST_FILES} go at once. Import the rest into the same study afterwards.`;
  }
  const large = files.find((file) => file.size > LARGEST_FILE);
  if (large) return `${large.name} has ${bytes(large.size)}; a file may have at most ${bytes(LARGEST_FILE)}. Split it.`;
  const all = files.reduce((sum, file) => sum + file.size + AROUND_A_FILE, 0);
  if (all <= LARGEST_UPLOAD) return null;
  return `These files have ${bytes(all)} together; at most ${bytes(LARGEST_UPLOAD)} go at once. Import the rest into the same study afterwards.`;
}
