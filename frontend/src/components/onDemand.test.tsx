import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { onDemand } from "./onDemand";

const Greeting = ({ name }: { name: string }) => <p>Good morning, {name}</p>;

it("draws what waits, then the component", async () => {
  const Late = onDemand(async () => Greeting);
  render(<Late name="Eva" waiting={<p>One moment</p>} />);
  expect(screen.getByText("One moment")).toBeVisible();
  expect(await screen.findByText("Good morning, Eva")).toBeVisible();
});

it("leaves the page as it is where the code does not arrive, and tries again", async () => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(new Error("offline"));
  const Late = onDemand(load);
  render(<><input aria-label="Reason" defaultValue="written" /><Late name="Eva" /></>);
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Good morning, Eva")).toBeVisible();
  expect(screen.getByLabelText("Reason")).toHaveValue("written");
});
