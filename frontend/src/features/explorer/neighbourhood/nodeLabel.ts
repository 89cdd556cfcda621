/** A name below its node: whole, on at most two lines; only a very long one is cut. */

const ONE_LINE = 18;
const MAX_LINE = 30;

export function nodeLabel(name: string): string {
  if (name.length <= ONE_LINE) return name;
  const middle = name.length / 2;
  const gaps = [...name.matchAll(/[\s-]/g)].map(({ index, 0: gap }) => (gap === "-" ? index + 1 : index));
  const at = gaps.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0];
  if (at === undefined) return cut(name);
  return `${cut(name.slice(0, at))}\n${cut(name.slice(at).trimStart())}`;
}

export function labelWidth(name: string): number {
  return Math.max(...nodeLabel(name).split("\n").map((line) => line.length));
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}
