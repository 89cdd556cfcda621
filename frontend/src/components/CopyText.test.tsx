import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { CopyText } from "./CopyText";

const TEXT = "Which drug?\n1. Zinc\n2. NADH";

it("selects the whole text with its line breaks where the browser does not let it be copied", async () => {
  const user = userEvent.setup();
  // As over plain http: there is no clipboard to write to.
  Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
  render(<CopyText label="Copy my answer" text={TEXT} />);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Copy my answer" });
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe(TEXT);
  expect(screen.getByRole("status")).toHaveTextContent("Selected: copy it with your keyboard");
});
