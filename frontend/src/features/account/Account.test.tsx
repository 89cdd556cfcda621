import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Me } from "@/api/contract";
import { leavePage } from "@/lib/session";
import { reply, serve, somebody, visit, type Asked } from "@/test/visit";
import { AccountPage } from "./index";

let user: Me;
let refusal: { code: string; message: string; param: string } | null;
let asked: Asked[];

const open = () => visit([{ path: "/account", Component: AccountPage }], "/account");

beforeEach(() => {
  user = somebody();
  refusal = null;
  asked = serve(({ method, path, json }) => {
    if (path === "/api/v1/me") {
      if (method === "PATCH") user = { ...user, ...(json as { name: string }) };
      return reply({ user });
    }
    if (!path.endsWith("password/change")) return undefined;
    if (refusal) return reply({ errors: [refusal] }, 400);
    user = { ...user, has_password: true };
    return reply({});
  });
});

afterEach(() => {
  leavePage();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe("the account", () => {
  it("says what she does here", async () => {
    user = somebody({ roles: { researcher: true, administrator: false } });
    open();
    const lines = (await screen.findAllByRole("listitem")).map(({ textContent }) => textContent);
    expect(lines).toEqual(["researcher", "expert in Pain"]);
  });

  it("takes a new name, and only a new one", async () => {
    open();
    const save = await screen.findByRole("button", { name: "Save my name" });
    expect(save).toBeDisabled();
    await userEvent.type(screen.getByLabelText("Your name"), " Lovelace{Enter}");
    expect(await screen.findByText("Saved")).toBeInTheDocument();
    expect(asked.find(({ method }) => method === "PATCH")?.json).toEqual({ name: "Ada Lovelace" });
    expect(save).toBeDisabled();
  });

  it("changes a password for the one who knows the current one", async () => {
    refusal = { code: "enter_current_password", message: "No.", param: "current_password" };
    open();
    await userEvent.type(await screen.findByLabelText("Current password"), "wrong");
    await userEvent.type(screen.getByLabelText("New password"), "a new one{Enter}");
    expect(await screen.findByText("That is not the current password.")).toBeInTheDocument();
    expect(screen.getByLabelText("New password")).toHaveValue("a new one");
    refusal = null;
    await userEvent.click(screen.getByRole("button", { name: "Change the password" }));
    expect(await screen.findByText("The new password is set.")).toBeInTheDocument();
    expect(screen.getByLabelText("New password")).toHaveValue("");
  });

  it("sets a first password without asking for one", async () => {
    user = somebody({ has_password: false });
    open();
    await userEvent.type(await screen.findByLabelText("Password", { selector: "input" }), "a first one{Enter}");
    expect(await screen.findByLabelText("Current password")).toBeInTheDocument();
    const told = asked.find(({ path }) => path.endsWith("password/change"));
    expect(told?.json).toEqual({ new_password: "a first one" });
  });
});
