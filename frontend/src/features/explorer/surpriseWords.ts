/** Why a use surprises, in words, and when each use was first stated. */
import { SYNTHETIC } from "@/domains/graphs/evidenceLabels";
import { formatCount } from "@/lib/format";
import type { Surprise } from "./api";

const MAX_WORDS = 20;

/** '1 of the 6 other drugs for pulmonary hypertension treats impotence.' */
export function reasonSentence({ reason, usual, distant }: Pick<Surprise, "reason" | "usual" | "distant">): string {
  const { drugs, with_usual: withUsual, with_distant: withDistant } = reason;
  const isOfDistant = reason.basis === "distant";
  const [count, use] = isOfDistant ? [withUsual, usual.name] : [withDistant, distant.name];
  const group = `other ${drugs === 1 ? "drug" : "drugs"} ${groupWords(reason)}`;
  if (drugs === 1) return `The only ${group} ${count === 0 ? "does not treat" : "treats"} ${use}.`;
  const part = `${count === 0 ? "None" : formatCount(count)} of the ${formatCount(drugs)} ${group} ${count > 1 ? "treat" : "treats"} ${use}`;
  if (reason.basis !== "link") return `${part}.`;
  const whole = `${part}; ${formatCount(withUsual)} ${withUsual === 1 ? "treats" : "treat"} ${usual.name}.`;
  return whole.split(" ").length <= MAX_WORDS ? whole : `${part}.`;
}

/** What the counted drugs have in common. */
function groupWords({ basis, entity }: Surprise["reason"]): string {
  if (basis !== "link") return `for ${entity.name}`;
  if (/class/i.test(entity.type)) return `of the class ${entity.name}`;
  return /gene|protein/i.test(entity.type) ? `that act on ${entity.name}` : `linked to ${entity.name}`;
}

/** ' (1985)', on the line of the name: the year of a use, unless it is unknown or made up. */
export function yearLabel({ evidence }: Surprise["usual_step"]): string {
  const date = evidence?.first_seen;
  return date?.unit === "year" && date.source !== SYNTHETIC ? `\u00a0(${date.value})` : "";
}

/** The surprise with these two ends: a drug and its new use, or both diseases. */
export function surpriseBetween(surprises: Surprise[], one: string, other: string): Surprise | undefined {
  const ends = new Set([one, other]);
  return surprises.find(({ drug, usual, distant }) => ends.has(distant.id) && (ends.has(drug.id) || ends.has(usual.id)));
}

/** What 'later' on the cards means, or that the order of the uses is unknown. */
export function orderExplanation(surprises: Surprise[]): string {
  const later = surprises.filter((one) => one.is_later).length;
  if (later === 0) return "Which of the two is older is unknown.";
  const meaning = "“Later” means that it was first stated in a later year than the other.";
  return later === surprises.length ? meaning : `${meaning} Where it is missing, the order is unknown.`;
}
