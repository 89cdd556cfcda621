/// <reference lib="webworker" />
/**
 * Opens the pages without a network: the files of this build, and the one page that loads them.
 * What the pages show is stored elsewhere (lib/offline), by account; no answer of the API is here.
 */
declare const __SHELL_FILES__: string[];
const worker = self as unknown as ServiceWorkerGlobalScope;

const PREFIX = "serendib-shell-";
/** A page without content of its own: the front page would show through on every other. */
const APP_SHELL_URL = "/home";
const NETWORK_TIMEOUT_MS = 3000;
const UNCACHED_PATHS = ["/api/", "/_allauth/", "/ws/", "/healthz", "/admin/"];

/** A name for exactly these files: a new build has a cache of its own. */
async function cacheName(): Promise<string> {
  const bytes = new TextEncoder().encode(__SHELL_FILES__.join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return PREFIX + Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function fillCache(): Promise<void> {
  const cache = await caches.open(await cacheName());
  // All or nothing: a worker without its files is not installed, and the one before goes on.
  await cache.addAll([new Request(APP_SHELL_URL, { cache: "reload" }), ...__SHELL_FILES__]);
}

async function deleteOldCaches(): Promise<void> {
  const name = await cacheName();
  const old = (await caches.keys()).filter((key) => key.startsWith(PREFIX) && key !== name);
  await Promise.all(old.map((key) => caches.delete(key)));
}

/** The newest page where the network gives one soon; else the one that these files belong to. */
async function servePage(request: Request): Promise<Response> {
  const cached = (await caches.open(await cacheName())).match(APP_SHELL_URL);
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(NETWORK_TIMEOUT_MS) });
    if (response.status < 500) return response;
    return (await cached) ?? response;
  } catch (error) {
    const shell = await cached;
    if (shell) return shell;
    throw error;
  }
}

/** Its name changes with its content, so the cached file is what would be fetched. */
async function serveFile(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(fillCache()));

worker.addEventListener("activate", (event) => {
  event.waitUntil(deleteOldCaches().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (UNCACHED_PATHS.some((prefix) => pathname.startsWith(prefix))) return;
  if (request.mode === "navigate") event.respondWith(servePage(request));
  else if (__SHELL_FILES__.includes(pathname)) event.respondWith(serveFile(request));
});
