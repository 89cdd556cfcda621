import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { jsonResponse, mockServer, renderRoute } from "@/test/visit";
import { StudySettingsButton } from "./StudySettingsDialog";

const settings = { id: "study-1", status: "open", moves: ["paused", "closed"], description: "", contact: "", closes_on: null };

async function openSettings() {
  const requests = mockServer(({ path }) => (path === "/api/v1/studies/study-1" ? jsonResponse(settings) : undefined));
  renderRoute([{ path: "/", element: <StudySettingsButton study="study-1" /> }], "/");
  await userEvent.click(screen.getByRole("button", { name: "Settings" }));
  await screen.findByRole("radiogroup", { name: "State" });
  return requests;
}

it("changes what experts read, and leaves the date open where none is chosen", async () => {
  const requests = await openSettings();
  await userEvent.type(await screen.findByLabelText("What the study is about"), "Which drugs?");
  await userEvent.type(screen.getByLabelText("E-mail address for questions"), "ada@hospital.example");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  expect(requests.find(({ method }) => method === "PATCH")?.json).toEqual({
    description: "Which drugs?",
    contact: "ada@hospital.example",
    closes_on: null,
  });
});

it("offers the states that come next, and sends the one that is chosen", async () => {
  const requests = await openSettings();
  expect(screen.getAllByRole("radio").map((radio) => radio.getAttribute("value"))).toEqual(["open", "paused", "closed"]);
  await userEvent.click(screen.getByRole("radio", { name: /Paused/ }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await expect.poll(() => requests.find(({ method }) => method === "PATCH")?.json).toMatchObject({ status: "paused" });
});
