/** A name below its node: whole, on at most two lines; only a very long one is cut until it is pointed at or selected. */

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

/** All of a name, on as many lines as it takes; a longer word continues on the next line. */
export function wholeLabel(name: string, lineLength = MAX_LINE): string {
  const lines: string[] = [];
  for (const word of name.split(/\s+/)) {
    const characters = [...word];
    for (let at = 0; at < characters.length; at += lineLength) {
      const piece = characters.slice(at, at + lineLength).join("");
      const last = lines.at(-1);
      if (at === 0 && last !== undefined && last.length + piece.length < lineLength) lines[lines.length - 1] = `${last} ${piece}`;
      else lines.push(piece);
    }
  }
  return lines.join("\n");
}

export function labelWidth(name: string): number {
  return Math.max(...nodeLabel(name).split("\n").map((line) => line.length));
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}
