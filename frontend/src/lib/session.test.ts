import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Me } from "@/api/contract";
import { person } from "@/test/offline/fakeServer";
import { meQuery } from "./me";
import { lastAccount } from "./offline/account";
import { leavePage, watchSession, type Session } from "./session";

/** Who the server says is signed in; undefined while it does not answer. */
let user: Me | null | undefined;
let session: Session;
let unwatch: () => void;

const ask = () => new QueryClient().fetchQuery({ ...meQuery, retry: false });

beforeEach(() => {
  user = person("her");
  session = { kind: "hers" };
  unwatch = watchSession((now) => (session = now));
  vi.stubGlobal("fetch", async () => {
    if (user === undefined) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify({ user }));
  });
});

afterEach(() => {
  unwatch();
  leavePage();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe("who the page is for", () => {
  it("is whoever is signed in, and is remembered", async () => {
    expect(await ask()).toEqual(person("her"));
    expect(lastAccount()).toEqual(person("her"));
  });

  it("is whoever worked here last where there is no network", async () => {
    await ask();
    leavePage();
    user = undefined;
    expect(await ask()).toEqual(person("her"));
  });

  it("is nobody where there is no network and nobody worked here", async () => {
    user = undefined;
    await expect(ask()).rejects.toThrow("The server did not answer.");
  });

  it("stays hers when her session ran out, and says so", async () => {
    await ask();
    user = null;
    expect(await ask()).toEqual(person("her"));
    expect(session).toEqual({ kind: "gone" });
  });

  it("stays hers when somebody else signed in, who is not remembered by this page", async () => {
    await ask();
    user = person("colleague");
    expect(await ask()).toEqual(person("her"));
    expect(session).toEqual({ kind: "other", who: person("colleague") });
    expect(lastAccount()).toEqual(person("her"));
  });

  it("does not take silence for a session that is back", async () => {
    await ask();
    user = null;
    await ask();
    user = undefined;
    expect(await ask()).toEqual(person("her"));
    expect(session).toEqual({ kind: "gone" });
  });

  it("is the next person's once she left", async () => {
    await ask();
    leavePage();
    user = person("colleague");
    expect(await ask()).toEqual(person("colleague"));
    expect(session).toEqual({ kind: "hers" });
  });
});
