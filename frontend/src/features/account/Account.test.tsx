import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { CurrentUser } from "@/api/contract";
import { jsonResponse, mockServer, makeUser, renderRoute, type RecordedRequest } from "@/test/visit";
import { AccountPage } from "./AccountPage";

let user: CurrentUser;
let refusal: { code: string; message: string; param: string } | null;
let requests: RecordedRequest[];

const open = () => renderRoute([{ path: "/account", Component: AccountPage }], "/account");

beforeEach(() => {
  user = makeUser();
  refusal = null;
  requests = mockServer(({ method, path, json }) => {
    if (path === "/api/v1/me") {
      if (method === "PATCH") user = { ...user, ...(json as { name: string }) };
      return jsonResponse({ user });
    }
    if (!path.endsWith("password/change")) return undefined;
    if (refusal) return jsonResponse({ errors: [refusal] }, 400);
    user = { ...user, has_password: true };
    return jsonResponse({});
  });
});

describe("the account", () => {
  it("lists the user's roles", async () => {
    user = makeUser({ roles: { researcher: true, administrator: false, coordinator: false } });
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
    expect(requests.find(({ method }) => method === "PATCH")?.json).toEqual({ name: "Ada Lovelace" });
    expect(save).toBeDisabled();
  });

  it("changes a password for the one who knows the current one", async () => {
    refusal = { code: "enter_current_password", message: "No.", param: "current_password" };
    open();
    await userEvent.type(await screen.findByLabelText("Current password"), "wrong");
    await userEvent.type(screen.getByLabelText("New password"), "a new one{Enter}");
    expect(await screen.findByText("The current password is wrong.")).toBeInTheDocument();
    expect(screen.getByLabelText("New password")).toHaveValue("a new one");
    refusal = null;
    await userEvent.click(screen.getByRole("button", { name: "Change the password" }));
    expect(await screen.findByText("Your password has changed.")).toBeInTheDocument();
    expect(screen.getByLabelText("New password")).toHaveValue("");
  });

  it("sets a first password without asking for one", async () => {
    user = makeUser({ has_password: false });
    open();
    await userEvent.type(await screen.findByLabelText("Password", { selector: "input" }), "a first one{Enter}");
    expect(await screen.findByLabelText("Current password")).toBeInTheDocument();
    const request = requests.find(({ path }) => path.endsWith("password/change"));
    expect(request?.json).toEqual({ new_password: "a first one" });
  });
});
