import { useQuery } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { readQuery } from "@/lib/readQuery";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { Button } from "./Button";
import { Page } from "./Page";
import { PageBoundary } from "./PageBoundary";
import { QueryBoundary } from "./QueryBoundary";

const partQuery = readQuery<{ name: string }>(["part"], "/api/v1/part");

function Part() {
  return <QueryBoundary query={useQuery(partQuery)} skeleton={<p>Waiting</p>}>{({ name }) => <p>{name}</p>}</QueryBoundary>;
}

function Whole() {
  return <PageBoundary query={useQuery(partQuery)} title="Part">{({ name }) => <Page title={name}><p>Read</p></Page>}</PageBoundary>;
}

/** Fails as often as stated, then answers. */
function fail(times: number) {
  let left = times;
  mockServer(() => {
    left -= 1;
    return left < 0 ? jsonResponse({ name: "Zinc" }) : problemResponse(500, "broken", "The server failed.");
  });
}

it.each([["a part of a page", Part], ["a page", Whole]])("keeps the focus in place after 'Try again' on %s, also after a second failure", async (_, Component) => {
  fail(2);
  renderRoute([{ path: "/part", Component }], "/part");
  const user = userEvent.setup();
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Zinc")).toBeVisible();
  await waitFor(() => expect(screen.getByText("Loaded.")).toHaveFocus());
});

it("lets a button that its press disables keep the focus, and do nothing meanwhile", async () => {
  const user = userEvent.setup();
  let presses = 0;
  function Sender() {
    const [isSending, setSending] = useState(false);
    return <><Button isDisabled={isSending} onPress={() => { presses += 1; setSending(true); }}>Send</Button><Button>Other</Button></>;
  }
  render(<Sender />);
  const button = screen.getByRole("button", { name: "Send" });
  await user.click(button);
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.keyboard("{Enter}");
  expect(presses).toBe(1);
  await user.tab();
  expect(button).toBeDisabled();
});
