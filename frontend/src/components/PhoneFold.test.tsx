import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { PhoneFold } from "./PhoneFold";

const onPhone = (matches: boolean) =>
  vi.stubGlobal("matchMedia", () => ({ matches, addEventListener: () => {}, removeEventListener: () => {} }));

test("elsewhere the content stands open, below its heading alone", () => {
  onPhone(false);
  const { rerender } = render(<PhoneFold summary={<h3>Charts</h3>}>drawn</PhoneFold>);
  expect(screen.getByText("drawn")).toBeVisible();
  expect(screen.queryByRole("heading")).toBeNull();
  rerender(<PhoneFold summary={<h3>Charts</h3>} isHeading>drawn</PhoneFold>);
  expect(screen.getByRole("heading", { name: "Charts" })).toBeVisible();
});

test("on a phone its line opens and closes it, and what is closed is not there", async () => {
  onPhone(true);
  render(<PhoneFold summary={<h3>Charts</h3>} isHeading>drawn</PhoneFold>);
  expect(screen.queryByText("drawn")).toBeNull();
  await userEvent.click(screen.getByText("Charts"));
  expect(await screen.findByText("drawn")).toBeVisible();
  await userEvent.click(screen.getByText("Charts"));
  await vi.waitFor(() => expect(screen.queryByText("drawn")).toBeNull());
});

test("on a phone it begins open where that is stated", () => {
  onPhone(true);
  render(<PhoneFold summary="Filter" isOpen>fields</PhoneFold>);
  expect(screen.getByText("fields")).toBeVisible();
});
