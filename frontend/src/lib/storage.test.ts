import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { invitationToken } from "./invitationToken";
import { lastAccount, rememberAccount } from "./offline/account";
import { inTab, onDevice } from "./storage";
import { applyTheme, chooseTheme, chosenTheme } from "./theme";
import { somebody } from "@/test/visit";

const refuse = (name: string) => () => {
  throw new DOMException("It is switched off.", name);
};

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // What was held in memory goes once storage takes something again.
  for (const key of ["key", "serendib-theme", "serendib-last-account"]) onDevice.forget(key);
  inTab.forget("serendib-invitation");
});

describe("where storage is switched off", () => {
  beforeEach(() => {
    vi.spyOn(window, "localStorage", "get").mockImplementation(refuse("SecurityError"));
    vi.spyOn(window, "sessionStorage", "get").mockImplementation(refuse("SecurityError"));
  });

  it("a page is shown as the system is, and a choice holds while it is open", () => {
    expect(chosenTheme()).toBe("system");
    applyTheme();
    chooseTheme("dark");
    expect(chosenTheme()).toBe("dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
    chooseTheme("system");
    expect(chosenTheme()).toBe("system");
  });

  it("an invitation still opens, also after a visit to the sign-in page", () => {
    expect(invitationToken("#secret")).toBe("secret");
    expect(invitationToken("")).toBe("secret");
  });

  it("whoever works here is known while the page is open", () => {
    rememberAccount(somebody());
    expect(lastAccount()?.id).toBe("ada");
  });
});

it("what a full disk did not take stands over what it took before, until it takes more", () => {
  onDevice.keep("key", "old");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse("QuotaExceededError"));
  onDevice.keep("key", "new");
  expect(onDevice.read("key")).toBe("new");
  full.mockRestore();
  onDevice.keep("key", "newest");
  expect(localStorage.getItem("key")).toBe("newest");
  expect(onDevice.read("key")).toBe("newest");
});

it("a fault of our own is not taken for storage that is switched off", () => {
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new TypeError("A fault.");
  });
  expect(() => onDevice.read("key")).toThrow(TypeError);
});
