import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readInvitationToken } from "@/domains/accounts/invitations/invitationToken";
import { makeUser } from "@/test/visit";
import { lastAccount, storeLastAccount } from "./offline/lastAccount";
import { tabStorage, deviceStorage } from "./storage";
import { applyTheme, setTheme, storedTheme } from "./theme";

const refuse = (name: string) => () => {
  throw new DOMException("It is switched off.", name);
};

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

afterEach(() => {
  vi.restoreAllMocks();
  // What was held in memory goes once storage takes something again.
  for (const key of ["key", "serendib-theme", "serendib-last-account"]) deviceStorage.remove(key);
  tabStorage.remove("serendib-invitation");
});

describe("where storage is switched off", () => {
  beforeEach(() => {
    vi.spyOn(window, "localStorage", "get").mockImplementation(refuse("SecurityError"));
    vi.spyOn(window, "sessionStorage", "get").mockImplementation(refuse("SecurityError"));
  });

  it("a page is shown as the system is, and a choice holds while it is open", () => {
    expect(storedTheme()).toBe("system");
    applyTheme();
    setTheme("dark");
    expect(storedTheme()).toBe("dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
    setTheme("system");
    expect(storedTheme()).toBe("system");
  });

  it("an invitation still opens, also after a visit to the sign-in page", () => {
    expect(readInvitationToken("#secret")).toBe("secret");
    expect(readInvitationToken("")).toBe("secret");
  });

  it("whoever works here is known while the page is open", () => {
    storeLastAccount(makeUser());
    expect(lastAccount()?.id).toBe("ada");
  });
});

it("what a full disk did not take stands over what it took before, until it takes more", () => {
  deviceStorage.write("key", "old");
  const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse("QuotaExceededError"));
  deviceStorage.write("key", "new");
  expect(deviceStorage.read("key")).toBe("new");
  full.mockRestore();
  deviceStorage.write("key", "newest");
  expect(localStorage.getItem("key")).toBe("newest");
  expect(deviceStorage.read("key")).toBe("newest");
});

it("a fault of our own is not taken for storage that is switched off", () => {
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new TypeError("A fault.");
  });
  expect(() => deviceStorage.read("key")).toThrow(TypeError);
});
