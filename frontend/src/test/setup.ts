// First, for every file: the offline store is opened once for the files of a worker, and one that found no
// IndexedDB kept the changes of all later tests in memory alone.
import "fake-indexeddb/auto";
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { createElement } from "react";
import { afterAll, afterEach, vi } from "vitest";
import { dialogPart } from "@/components/Dialog";
import { menuPart } from "@/components/Menu";
import { clearPageUser } from "@/lib/session";

// How long a test waits for what must come: it only ends one that has gone wrong.
configure({ asyncUtilTimeout: 10_000 });

// Loaded when first opened: here at once, so that no test depends on another that has opened one.
await Promise.all([dialogPart.load(), menuPart.load()]);

// jsdom draws no canvas. Here, because a page that was loaded lazily stays loaded for the other files of its worker.
vi.mock("@/features/explorer/neighbourhood/Canvas", async (load) => ({ ...(await load<object>()), default: () => null }));
vi.mock("@/domains/graphs/walks/WalkDrawing", () => ({ default: ({ label }: { label: string }) => createElement("div", { role: "img", "aria-label": label }) }));

// jsdom lays nothing out, so that no size ever changes.
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

// The files of one worker share its modules and its DOM: every test starts signed out, with nothing stored.
afterEach(() => {
  cleanup();
  clearPageUser();
  localStorage.clear();
  sessionStorage.clear();
  // React Aria's announcer stands beside the page, and keeps a text for seconds.
  for (const log of document.querySelectorAll("[data-live-announcer] [role=log]")) log.replaceChildren();
});

// A module that is still loading when a file ends would never load again for the other files of the worker.
afterAll(() => vi.dynamicImportSettled());
