/** Whether a query contains what its answer is called, as the server checks it before it is submitted. */

const GREEK_NAMES = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega".split(" ");
const SPELT: Record<string, string> = {
  ...Object.fromEntries(GREEK_NAMES.map((name, place) => [String.fromCodePoint(0x3b1 + place), name])),
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
  ß: "ss",
};
const MARKS_AND_APOSTROPHES = /[\p{Mn}\p{Me}\p{Cf}'`’ʼ´]/gu;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
const WORDS = /[\p{L}\p{N}]+/gu;
const MIN_LENGTH = 2;
const MAX_ABBREVIATION = 6;

/** Words of letters and digits separated by one space, without case, accents and marks. */
function normalForm(text: string): string {
  const plain = text.normalize("NFKD").toLowerCase().normalize("NFKD").replaceAll(MARKS_AND_APOSTROPHES, "");
  return plain.replaceAll(/[α-ωøłđðþæœıß]/g, (character) => SPELT[character] ?? character).replaceAll(SEPARATORS, " ").trim();
}

/** Those of the names that the text contains by whole words, each once. */
export function findLeaks(text: string, names: string[]): string[] {
  const words = ` ${normalForm(text)} `;
  return [...new Set(names)].filter((name) => {
    const form = normalForm(name);
    if ([...form].length < MIN_LENGTH || !words.includes(` ${form} `)) return false;
    return !isAbbreviation(name) || isWrittenAsSymbol(text, name, form);
  });
}

const hasLaterCapital = (text: string) => text.slice(1) !== text.slice(1).toLowerCase();

/** Such gene symbols are often words: WAS, SET, REST. */
const isAbbreviation = (name: string) => [...name].length <= MAX_ABBREVIATION && /^\p{L}+$/u.test(name) && hasLaterCapital(name);

function isWrittenAsSymbol(text: string, name: string, form: string): boolean {
  const surfaces = text.match(WORDS) ?? [];
  return surfaces.some((surface) => normalForm(surface) === form && (surface === name || hasLaterCapital(surface)));
}

/** Identifiers count with their prefix, and without it unless they are numbers. */
export function namesOfAnswer({ answer, synonyms, identifiers }: { answer: string; synonyms: string[]; identifiers: string[] }): string[] {
  const locals = identifiers.flatMap((one) => {
    const place = one.indexOf(":");
    const local = one.slice(place + 1);
    return place < 0 || /^\p{Nd}+$/u.test(local) ? [one] : [one, local];
  });
  return [answer, ...synonyms, ...locals];
}
