import { afterEach, describe, expect, it, vi } from "vitest";
import { authFieldSentence, authSentence } from "@/lib/authWords";
import { reply, serve } from "@/test/visit";
import * as auth from "./auth";
import { Unreachable } from "./client";

afterEach(() => vi.unstubAllGlobals());

const refusal = (status: number, ...errors: { code: string; message: string; param?: string }[]) =>
  reply({ status, errors }, status);

async function saidBy(doing: Promise<unknown>): Promise<string> {
  return doing.then(
    () => "done",
    (error: unknown) => authSentence(error),
  );
}

describe("signing in", () => {
  it("sends a code when the service waits for it", async () => {
    const asked = serve(() => reply({ data: { flows: [{ id: "login_by_code", is_pending: true }] } }, 401));
    await auth.requestCode("ada@hospital.example");
    expect(asked).toEqual([
      {
        method: "POST",
        path: "/_allauth/browser/v1/auth/code/request",
        json: { email: "ada@hospital.example" },
      },
    ]);
  });

  it("does not take a 401 that waits for nothing as a code sent", async () => {
    serve(() => reply({ data: { flows: [{ id: "login" }] } }, 401));
    await expect(auth.requestCode("ada@hospital.example")).rejects.toBeInstanceOf(auth.Refused);
  });

  it("is done already where another tab did it", async () => {
    serve(() => reply({}, 409));
    await expect(auth.signInWithPassword("ada@hospital.example", "x")).resolves.toBeUndefined();
  });

  it("says the same for an unknown address and a wrong password", async () => {
    serve(() => refusal(400, { code: "email_password_mismatch", message: "no", param: "password" }));
    expect(await saidBy(auth.signInWithPassword("a@b.example", "x"))).toContain("do not belong together");
  });

  it.each([
    refusal(429),
    refusal(400, { code: "too_many_login_attempts", message: "no" }),
    refusal(429, { code: "rate_limited", message: "no" }),
  ])("says when a limit is reached, and when to try again", async (answer) => {
    serve(() => answer);
    expect(await saidBy(auth.confirmCode("123"))).toMatch(/Too many attempts.*five minutes/);
  });

  it("does not blame the page for the server", async () => {
    serve(() => refusal(502));
    expect(await saidBy(auth.confirmCode("123"))).toContain("could not do this now");
    serve(() => refusal(403));
    expect(await saidBy(auth.confirmCode("123"))).toContain("out of date");
  });

  it("says when no answer came", () => {
    expect(authSentence(new Unreachable(""))).toContain("did not answer");
  });
});

describe("passwords", () => {
  it("keep the service's own sentence on what is wrong with a new one, at its field", async () => {
    serve(() => refusal(400, { code: "password_too_short", message: "Too short.", param: "new_password" }));
    const error: unknown = await auth.changePassword(null, "x").catch((caught: unknown) => caught);
    expect(authFieldSentence(error, "new_password")).toBe("Too short.");
    expect(authFieldSentence(error, "current_password")).toBeUndefined();
  });

  it("leave out the current one where there is none", async () => {
    const asked = serve(() => reply({}));
    await auth.changePassword(null, "a new one");
    expect(asked[0]?.json).toEqual({ new_password: "a new one" });
  });

  it("tell a used reset link from one that works", async () => {
    serve(() => refusal(400, { code: "invalid_password_reset", message: "no", param: "key" }));
    expect(await auth.resetKeyWorks("k")).toBe(false);
    serve(() => reply({ data: {} }));
    expect(await auth.resetKeyWorks("k")).toBe(true);
  });

  it("are reset though nobody is signed in by it", async () => {
    serve(() => reply({ data: { flows: [] } }, 401));
    await expect(auth.resetPassword("k", "a new one")).resolves.toBeUndefined();
  });
});

describe("signing out", () => {
  it("takes 'nobody is signed in' as done, and anything else as not", async () => {
    serve(() => reply({}, 401));
    await expect(auth.signOut()).resolves.toBeUndefined();
    serve(() => reply({}, 500));
    await expect(auth.signOut()).rejects.toBeInstanceOf(auth.Refused);
  });
});
