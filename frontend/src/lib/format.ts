/** Numbers, times and lists as text. */

const integerFormat = new Intl.NumberFormat("en-GB");
const clockFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const secondsFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const longDayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const fullFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "long" });
const weekdayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "long" });

const listFormat = new Intl.ListFormat("en-GB", { type: "conjunction" });

const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function formatCount(value: number): string {
  return integerFormat.format(value);
}

export function formatPlural(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** Where a text is longer than the server takes: '200,000 of at most 20,000 characters'. Characters as the server counts them. */
export function lengthError(text: string, most: number): string | undefined {
  if (text.length <= most) return undefined;
  const length = Array.from(text).length;
  return length > most ? `${formatCount(length)} of at most ${formatCount(most)} characters.` : undefined;
}

export function formatPercent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

/** The title of a list that may be cut off: 'Errors', 'Errors, the first 20 of 1,200'. */
export function formatListTitle(title: string, listed: number, total: number): string {
  return listed < total ? `${title}, the first ${formatCount(listed)} of ${formatCount(total)}` : title;
}

/** The largest first. */
export const LARGE_UNITS: readonly [size: number, name: string][] = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]];

/** 'a, b and c'. */
export function formatList(items: string[]): string {
  return listFormat.format(items);
}

/** A label as part of a sentence: 'The question is unclear' begins small, 'I do not know' stays. */
export function formatInSentence(label: string): string {
  return /^I\b/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
}

/** As many decimals each, with a true minus sign, so that a column of them aligns. */
export function formatCoefficient(value: number, decimals = 2): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) > 0 ? `\u2212${text}` : text;
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return "under 1 s";
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (ms < 10 * MINUTE_MS) return formatTwoUnits(seconds, 60, "min", "s");
  return roundDuration(ms);
}

function roundDuration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  return minutes < 60 ? `${minutes} min` : formatTwoUnits(minutes, 60, "h", "min");
}

function formatTwoUnits(total: number, size: number, unit: string, restUnit: string): string {
  const rest = total % size;
  const main = `${Math.floor(total / size)} ${unit}`;
  return rest ? `${main} ${rest} ${restUnit}` : main;
}

const ORDINAL_SUFFIXES: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
const ordinalRules = new Intl.PluralRules("en-GB", { type: "ordinal" });

/** '1st', '2nd', '11th'. */
export function formatOrdinal(number: number): string {
  return `${number}${ORDINAL_SUFFIXES[ordinalRules.select(number)] ?? "th"}`;
}

/** As coarse as the guess is: hours to five minutes. */
export function formatTimeLeft(ms: number): string {
  if (ms < MINUTE_MS) return "less than a minute left";
  return `about ${roundDuration(ms < HOUR_MS ? ms : Math.round(ms / FIVE_MINUTES_MS) * FIVE_MINUTES_MS)} left`;
}

export function formatTime(iso: string): string {
  return clockFormat.format(new Date(iso));
}

export function formatTimeWithSeconds(at: number): string {
  return secondsFormat.format(at);
}

/** The time today; the day and time before. */
export function formatDateTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? formatTime(iso) : `${dayFormat.format(at)}, ${formatTime(iso)}`;
}

/** The same inside a sentence: 'at 07:34', 'on 3 May at 07:34'. */
export function formatRecentDate(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? `at ${formatTime(iso)}` : `on ${dayFormat.format(at)} at ${formatTime(iso)}`;
}

export function formatLongDate(iso: string): string {
  return longDayFormat.format(new Date(iso));
}

/** For what stays at its address: '22 November 2026 at 15:30:07 UTC'. */
export function formatFullDate(iso: string): string {
  return fullFormat.format(new Date(iso));
}

/** When something will be done, as coarse as the guess behind it is. */
export function formatExpectedDate(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY_MS);
  if (days <= 0) return "today";
  if (days === 1) return "tomorrow";
  return days < 7 ? weekdayFormat.format(at) : dayFormat.format(at);
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

export function formatBytes(size: number): string {
  if (size < 1000) return `${size} B`;
  return size < 1_000_000 ? `${Math.round(size / 1000)} kB` : `${Number((size / 1_000_000).toFixed(1))} MB`;
}
