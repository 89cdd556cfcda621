import { describe, expect, it } from "vitest";
import { authFieldMessage, authMessage } from "@/domains/accounts/authMessages";
import { jsonResponse, mockServer } from "@/test/visit";
import * as auth from "./auth";
import { NetworkError } from "./client";

const refusal = (status: number, ...errors: { code: string; message: string; param?: string }[]) =>
  jsonResponse({ status, errors }, status);

async function saidBy(doing: Promise<unknown>): Promise<string> {
  return doing.then(
    () => "done",
    (error: unknown) => authMessage(error),
  );
}

describe("signing in", () => {
  it("sends a code when the service waits for it", async () => {
    const requests = mockServer(() => jsonResponse({ data: { flows: [{ id: "login_by_code", is_pending: true }] } }, 401));
    await auth.requestSignInCode("ada@hospital.example");
    expect(requests).toEqual([
      {
        method: "POST",
        path: "/_allauth/browser/v1/auth/code/request",
        json: { email: "ada@hospital.example" },
      },
    ]);
  });

  it("does not take a 401 that waits for nothing as a code sent", async () => {
    mockServer(() => jsonResponse({ data: { flows: [{ id: "login" }] } }, 401));
    await expect(auth.requestSignInCode("ada@hospital.example")).rejects.toBeInstanceOf(auth.AuthError);
  });

  it("is done already where another tab did it", async () => {
    mockServer(() => jsonResponse({}, 409));
    await expect(auth.signInWithPassword("ada@hospital.example", "x")).resolves.toBeUndefined();
  });

  it("says the same for an unknown address and a wrong password", async () => {
    mockServer(() => refusal(400, { code: "email_password_mismatch", message: "no", param: "password" }));
    expect(await saidBy(auth.signInWithPassword("a@b.example", "x"))).toContain("Wrong e-mail address or password");
  });

  it.each([
    refusal(429),
    refusal(400, { code: "too_many_login_attempts", message: "no" }),
    refusal(429, { code: "rate_limited", message: "no" }),
  ])("says when a limit is reached, and when to try again", async (answer) => {
    mockServer(() => answer);
    expect(await saidBy(auth.confirmSignInCode("123"))).toMatch(/Too many attempts.*five minutes/);
  });

  it("does not blame the page for the server", async () => {
    mockServer(() => refusal(502));
    expect(await saidBy(auth.confirmSignInCode("123"))).toContain("The server is not available now");
    mockServer(() => refusal(403));
    expect(await saidBy(auth.confirmSignInCode("123"))).toContain("out of date");
  });

  it("says when no answer came", () => {
    expect(authMessage(new NetworkError(""))).toContain("did not answer");
  });
});

describe("passwords", () => {
  it("keep the service's own sentence on what is wrong with a new one, at its field", async () => {
    mockServer(() => refusal(400, { code: "password_too_short", message: "Too short.", param: "new_password" }));
    const error: unknown = await auth.changePassword(null, "x").catch((caught: unknown) => caught);
    expect(authFieldMessage(error, "new_password")).toBe("Too short.");
    expect(authFieldMessage(error, "current_password")).toBeUndefined();
  });

  it("leave out the current one where there is none", async () => {
    const requests = mockServer(() => jsonResponse({}));
    await auth.changePassword(null, "a new one");
    expect(requests[0]?.json).toEqual({ new_password: "a new one" });
  });

  it("tell a used reset link from one that works", async () => {
    mockServer(() => refusal(400, { code: "invalid_password_reset", message: "no", param: "key" }));
    expect(await auth.isResetKeyValid("k")).toBe(false);
    mockServer(() => jsonResponse({ data: {} }));
    expect(await auth.isResetKeyValid("k")).toBe(true);
  });

  it("are reset though nobody is signed in by it", async () => {
    mockServer(() => jsonResponse({ data: { flows: [] } }, 401));
    await expect(auth.resetPassword("k", "a new one")).resolves.toBeUndefined();
  });
});

describe("signing out", () => {
  it("takes 'nobody is signed in' as done, and anything else as not", async () => {
    mockServer(() => jsonResponse({}, 401));
    await expect(auth.signOut()).resolves.toBeUndefined();
    mockServer(() => jsonResponse({}, 500));
    await expect(auth.signOut()).rejects.toBeInstanceOf(auth.AuthError);
  });
});
