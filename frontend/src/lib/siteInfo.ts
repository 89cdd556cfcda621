/** What the server writes into the head of the page about this site; empty where it is not set. */
export function siteInfo(name: "contact" | "documentation" | "source" | "version"): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="serendib-${name}"]`)?.content ?? "";
}
