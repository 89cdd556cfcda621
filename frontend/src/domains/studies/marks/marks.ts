/** 'This decided': marks on the evidence of an item, as the answers of all kinds have them. */

/** A path to a candidate in the study's graph; one step of it; or a paper of that step. */
export type PathMark = {
  type: "path";
  candidate: string;
  /** The graph's numbers of its edges. */
  edges: number[];
  /** The place of the step in `edges`; null for the whole path. */
  step: number | null;
  /** An identifier, or empty. */
  paper: string;
  /** In words; the server writes them again. */
  text: string;
};

/** A link of the question, by its place from 0. */
export type ResourceMark = { type: "resource"; number: number };

export type EvidenceMark = PathMark | ResourceMark;

/** What the evidence beside an answer needs to mark it; without `toggle` it is only shown. */
export interface Marking {
  marks: EvidenceMark[];
  toggle?: (mark: EvidenceMark) => void;
}

/** As the server has it. */
export const MAX_MARKS = 20;

/** Equal for marks of the same evidence, whatever their text. */
export function markKey(mark: object): string {
  const fields: [string, unknown][] = Object.entries(mark);
  return JSON.stringify(fields.filter(([name]) => name !== "text").toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

export const isMarked = <Mark extends object>(marks: Mark[], mark: Mark) => marks.some((one) => markKey(one) === markKey(mark));

/** A mark that is there is taken away. */
export const toggleMark = <Mark extends object>(marks: Mark[], mark: Mark): Mark[] =>
  isMarked(marks, mark) ? marks.filter((one) => markKey(one) !== markKey(mark)) : [...marks, mark];

/** Marks have no order. */
export const hasSameMarks = <Mark extends object>(left: Mark[], right: Mark[]) =>
  left.length === right.length && left.every((mark) => isMarked(right, mark));

/** What is announced when it is marked, or its mark taken away, and the step to record; none where there are too many. */
export function markChange<Mark extends object>(marks: Mark[], mark: Mark) {
  const isRemoved = isMarked(marks, mark);
  if (!isRemoved && marks.length >= MAX_MARKS) return { message: `At most ${MAX_MARKS} can be marked.`, step: null };
  return { message: isRemoved ? "Mark removed." : "Marked.", step: { kind: "because", old: marks, new: toggleMark(marks, mark) } };
}
