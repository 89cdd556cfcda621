/** Ctrl or Cmd with Enter opens a link beside this page; it ends a question from anywhere else. */
export function isSubmitChord(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "target">): boolean {
  const onLink = event.target instanceof Element && event.target.closest("a[href]") !== null;
  return event.key === "Enter" && (event.ctrlKey || event.metaKey) && !onLink;
}
