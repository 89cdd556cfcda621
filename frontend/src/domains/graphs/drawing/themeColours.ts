/** The tokens' present values as plain colours, for what is drawn without a style sheet. */

const COLOUR_NAMES = [
  "bg", "surface", "sunk", "ink", "muted", "line", "line-strong", "accent", "accent-soft", "accent-text",
  "relevance", "novelty", "surprise", "good", "warn", "bad", "focus",
] as const;

type ThemeColour = (typeof COLOUR_NAMES)[number];
export type ThemeColours = Record<ThemeColour, string>;

/** A browser turns every colour, the system's own too, into numbers. */
export function readThemeColours(within: HTMLElement): ThemeColours {
  const probe = document.createElement("span");
  probe.style.cssText = "position:absolute;visibility:hidden;forced-color-adjust:none";
  within.append(probe);
  const pairs = COLOUR_NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, toHex(getComputedStyle(probe).color)] as const;
  });
  probe.remove();
  return Object.fromEntries(pairs) as ThemeColours;
}

function toHex(colour: string): string {
  const [r, g, b] = (colour.match(/[\d.]+/g) ?? ["0", "0", "0"]).map(Number);
  const hex = (part = 0) => Math.round(part).toString(16).padStart(2, "0");
  return `#${hex(r)}${hex(g)}${hex(b)}`;
}
