/** A name below its node: whole, on at most two lines; only a very long one is cut. */

const ONE_LINE = 18;
const MAX_LINE = 30;
const MAX_NARROW_LINES = 3;

export function nodeLabel(name: string): string {
  if (name.length <= ONE_LINE) return name;
  const middle = name.length / 2;
  const gaps = [...name.matchAll(/[\s-]/g)].map(({ index, 0: gap }) => (gap === "-" ? index + 1 : index));
  const at = gaps.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  if (at === undefined) return cut(name);
  return `${cut(name.slice(0, at))}\n${cut(name.slice(at).trimStart())}`;
}

/** Of a name that is wrapped into a column, at most so many letters a line. */
export const NARROW_LINE = 19;

export function narrowLabel(name: string): string {
  const lines: string[] = [];
  for (const word of name.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < NARROW_LINE) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > NARROW_LINE ? `${word.slice(0, NARROW_LINE - 1)}…` : word);
  }
  return lines.length > MAX_NARROW_LINES ? `${lines.slice(0, MAX_NARROW_LINES).join("\n")}…` : lines.join("\n");
}

export function labelWidth(name: string): number {
  return Math.max(...nodeLabel(name).split("\n").map((line) => line.length));
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}
