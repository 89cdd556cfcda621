/** The pages open without a network where the browser allows a service worker: over https, or on this computer. */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  // After the page has what it needs: the worker fetches every file once more.
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js", { scope: "/", updateViaCache: "none" }).catch(noted);
  });
}

/** A browser may refuse it (private window, no room). What she answers is kept all the same. */
function noted(error: unknown): void {
  console.warn("The pages will not open without a network.", error);
}
