import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { jsonResponse, mockServer, problemResponse, renderRoute } from "@/test/visit";
import { ModelPage } from "./ModelPage";

const MODEL = {
  slug: "mine", name: "Mine", organisation: "Lab", family: "", parameters: 8_000_000_000, licence: "MIT", training_cutoff: null, training_data: "",
  link: "", code: "", paper: "", is_baseline: false, is_simulated: false, version: 3,
};

/** The changes that were sent. */
function open(canChange: boolean, answer: () => Response = () => jsonResponse(MODEL)) {
  const requests = mockServer(({ path, method }) => {
    if (path.endsWith("/results")) return jsonResponse({ model: MODEL, can_change: canChange, evaluated: [], printed: [] });
    return method === "PATCH" ? answer() : jsonResponse(MODEL);
  });
  renderRoute([{ path: "/models/:slug", Component: ModelPage }], "/models/mine");
  return () => requests.filter(({ method }) => method === "PATCH").map(({ json }) => json);
}

describe("the form of a model", () => {
  it("sends all fields with the version that was read", async () => {
    const sent = open(true);
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    const parameters = await screen.findByRole("textbox", { name: "Parameters" });
    await user.clear(parameters);
    await user.type(parameters, "7,000");
    await user.type(screen.getByRole("textbox", { name: "Training data" }), " Abstracts of 2024 ");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(sent()).toMatchObject([{ name: "Mine", parameters: 7000, training_cutoff: null, training_data: "Abstracts of 2024", version: 3 }]);
  });

  it("has the server's sentence beside the field that it refuses", async () => {
    const message = "A model 'Mine' exists or had this name. Choose another name.";
    open(true, () => problemResponse(409, "name_taken", message, [{ place: "name", message, code: "name_taken", expected: "" }]));
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    await user.click(await screen.findByRole("button", { name: "Save" }));
    expect(await screen.findByRole("textbox", { name: "Name" })).toHaveAccessibleDescription(expect.stringContaining(message));
  });

  it("is for those alone who may change the model", async () => {
    open(false);
    expect(await screen.findByRole("heading", { name: "Mine" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Edit" })).not.toBeInTheDocument();
  });
});
