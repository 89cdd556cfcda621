import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CurrentUser } from "@/api/contract";
import { makeUser } from "@/test/offline/fakeServer";
import { currentUserQuery } from "./currentUser";
import { lastAccount } from "./offline/lastAccount";
import { clearPageUser, subscribeToSession, type Session } from "./session";

/** Who the server says is signed in; undefined while it does not answer. */
let user: CurrentUser | null | undefined;
let session: Session;
let unwatch: () => void;

const load = () => new QueryClient().fetchQuery({ ...currentUserQuery, retry: false });

beforeEach(() => {
  user = makeUser("expert");
  session = { kind: "own" };
  unwatch = subscribeToSession((now) => (session = now));
  vi.stubGlobal("fetch", async () => {
    if (user === undefined) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify({ user }));
  });
});

afterEach(() => {
  unwatch();
});

describe("who the page is for", () => {
  it("is whoever is signed in, and is remembered", async () => {
    expect(await load()).toEqual(makeUser("expert"));
    expect(lastAccount()).toEqual(makeUser("expert"));
  });

  it("is whoever worked here last where there is no network", async () => {
    await load();
    clearPageUser();
    user = undefined;
    expect(await load()).toEqual(makeUser("expert"));
  });

  it("is nobody where there is no network and nobody worked here", async () => {
    user = undefined;
    await expect(load()).rejects.toThrow("The server did not answer.");
  });

  it("stays with its user when the session ran out, and says so", async () => {
    await load();
    user = null;
    expect(await load()).toEqual(makeUser("expert"));
    expect(session).toEqual({ kind: "gone" });
  });

  it("stays with its user when somebody else signed in, who is not remembered by this page", async () => {
    await load();
    user = makeUser("colleague");
    expect(await load()).toEqual(makeUser("expert"));
    expect(session).toEqual({ kind: "other", who: makeUser("colleague") });
    expect(lastAccount()).toEqual(makeUser("expert"));
  });

  it("does not take silence for a session that is back", async () => {
    await load();
    user = null;
    await load();
    user = undefined;
    expect(await load()).toEqual(makeUser("expert"));
    expect(session).toEqual({ kind: "gone" });
  });

  it("is the next person's after signing out", async () => {
    await load();
    clearPageUser();
    user = makeUser("colleague");
    expect(await load()).toEqual(makeUser("colleague"));
    expect(session).toEqual({ kind: "own" });
  });
});
