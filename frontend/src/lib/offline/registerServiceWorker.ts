/** The pages open without a network where the browser allows a service worker: over https, or on this computer. */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  // After the page has loaded: the worker fetches every file again.
  window.addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js", { scope: "/", updateViaCache: "none" }).catch(logRegistrationError);
  });
}

/** A browser may refuse it (private window, full disk). Answers are stored all the same. */
function logRegistrationError(error: unknown): void {
  console.warn("The pages cannot be opened offline.", error);
}
