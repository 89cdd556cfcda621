/** Numbers and times as a reader says them; every number keeps its unit. */

const whole = new Intl.NumberFormat("en-GB");
const clockFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const secondsFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const longDayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const weekdayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "long" });

const MINUTE = 60_000;
const FIVE_MINUTES = 5 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function count(value: number): string {
  return whole.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function percent(share: number): string {
  return `${Math.round(100 * share)}%`;
}

/** As many decimals each, with a true minus sign, so that a column of them aligns. */
export function coefficient(value: number, decimals = 2): string {
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) > 0 ? `\u2212${text}` : text;
}

export function duration(ms: number): string {
  if (ms < 1000) return "under 1 s";
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (ms < 10 * MINUTE) return withRest(seconds, 60, "min", "s");
  return roughly(ms);
}

function roughly(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE));
  return minutes < 60 ? `${minutes} min` : withRest(minutes, 60, "h", "min");
}

function withRest(total: number, size: number, unit: string, restUnit: string): string {
  const rest = total % size;
  const main = `${Math.floor(total / size)} ${unit}`;
  return rest ? `${main} ${rest} ${restUnit}` : main;
}

const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
const ordinalRules = new Intl.PluralRules("en-GB", { type: "ordinal" });

/** '1st', '2nd', '11th'. */
export function ordinal(number: number): string {
  return `${number}${ENDINGS[ordinalRules.select(number)] ?? "th"}`;
}

/** As coarse as the guess is: hours to five minutes. */
export function timeLeft(ms: number): string {
  if (ms < MINUTE) return "less than a minute left";
  return `about ${roughly(ms < HOUR ? ms : Math.round(ms / FIVE_MINUTES) * FIVE_MINUTES)} left`;
}

export function clock(iso: string): string {
  return clockFormat.format(new Date(iso));
}

export function clockWithSeconds(at: number): string {
  return secondsFormat.format(at);
}

/** The time today; the day and time before. */
export function moment(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? clock(iso) : `${dayFormat.format(at)}, ${clock(iso)}`;
}

/** The same inside a sentence: 'at 07:34', 'on 3 May at 07:34'. */
export function when(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? `at ${clock(iso)}` : `on ${dayFormat.format(at)} at ${clock(iso)}`;
}

export function longDay(iso: string): string {
  return longDayFormat.format(new Date(iso));
}

/** When something will be done, as coarse as the guess behind it is. */
export function expectedDay(iso: string, now = new Date()): string {
  const at = new Date(iso);
  const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY);
  if (days <= 0) return "today";
  if (days === 1) return "tomorrow";
  return days < 7 ? weekdayFormat.format(at) : dayFormat.format(at);
}

function startOfDay(at: Date): number {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
}

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  return size < 1_000_000 ? `${Math.round(size / 1000)} kB` : `${Number((size / 1_000_000).toFixed(1))} MB`;
}
