/** The tokens' present values as plain colours, for what is drawn without a style sheet. */

const NAMES = [
  "bg", "surface", "sunk", "ink", "muted", "line", "line-strong", "accent", "accent-soft", "accent-text",
  "relevance", "novelty", "surprise", "warn", "bad", "focus",
] as const;

export type InkName = (typeof NAMES)[number];
export type Inks = Record<InkName, string>;

/** A browser turns every colour, the system's own too, into numbers; it is asked to. */
export function readInks(within: HTMLElement): Inks {
  const probe = document.createElement("span");
  probe.style.cssText = "position:absolute;visibility:hidden;forced-color-adjust:none";
  within.append(probe);
  const pairs = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, plain(getComputedStyle(probe).color)] as const;
  });
  probe.remove();
  return Object.fromEntries(pairs) as Inks;
}

function plain(colour: string): string {
  const [r, g, b] = (colour.match(/[\d.]+/g) ?? ["0", "0", "0"]).map(Number);
  const hex = (part = 0) => Math.round(part).toString(16).padStart(2, "0");
  return `#${hex(r)}${hex(g)}${hex(b)}`;
}

/** Calls back whenever the colours may have changed. */
export function watchInks(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  const forced = window.matchMedia("(forced-colors: active)");
  forced.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    forced.removeEventListener("change", changed);
  };
}
