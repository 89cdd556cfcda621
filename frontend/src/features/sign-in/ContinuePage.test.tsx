import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { jsonResponse, makeUser, mockServer, problemResponse, renderRoute, type RecordedRequest } from "@/test/visit";
import { ContinuePage } from "./ContinuePage";

const ROUTES = [
  { path: "/continue", Component: ContinuePage },
  { path: "/next", element: <p>The next question</p> },
];

let answer: Response;
let requests: RecordedRequest[];

beforeEach(() => {
  answer = jsonResponse({ path: "/next?study=1" });
  requests = mockServer(({ path }) => {
    if (path === "/api/v1/me") return jsonResponse({ user: makeUser() });
    if (path === "/api/v1/sign-in-links/use") return answer;
    if (path === "/api/v1/sign-in-links/renew") return new Response(null, { status: 204 });
    return undefined;
  });
});

const writes = () => requests.filter(({ method }) => method === "POST");
const press = () => userEvent.click(screen.getByRole("button", { name: "Open my next question" }));

it("opening the link sends nothing; its button signs in and opens the next question", async () => {
  const router = renderRoute(ROUTES, "/continue#the-token");
  await screen.findByRole("button", { name: "Open my next question" });
  expect(writes()).toEqual([]);
  await press();
  expect(await screen.findByText("The next question")).toBeInTheDocument();
  expect(writes().map(({ json }) => json)).toEqual([{ token: "the-token" }]);
  expect(router.state.location.search).toBe("?study=1");
});

it("never leaves this site, whatever the path is", async () => {
  answer = jsonResponse({ path: "//elsewhere.example/" });
  const router = renderRoute([...ROUTES, { path: "/home", element: <p>Home</p> }], "/continue#the-token");
  await press();
  expect(await screen.findByText("Home")).toBeInTheDocument();
  expect(router.state.location.pathname).toBe("/home");
});

it("a link that was used sends a new one on request", async () => {
  answer = problemResponse(410, "link_ended", "This link was used already.");
  renderRoute(ROUTES, "/continue#the-token");
  await press();
  expect(await screen.findByText(/was used already, or has expired/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Send a new link" }));
  expect(await screen.findByText(/A new link is on its way/)).toBeInTheDocument();
  expect(writes().at(-1)).toMatchObject({ path: "/api/v1/sign-in-links/renew", json: { token: "the-token" } });
});

it("a link of somebody else offers to sign out", async () => {
  answer = problemResponse(409, "other_account", "This link is for bea@hospital.example.");
  renderRoute(ROUTES, "/continue#the-token");
  await press();
  expect(await screen.findByText(/This link is for bea@hospital.example/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Sign out" })).toBeInTheDocument();
});

it.each(["/continue", "/continue#cut"])("a link that is cut short (%s) leads to signing in", async (path) => {
  answer = problemResponse(404, "link_unknown", "This link is not complete.");
  renderRoute(ROUTES, path);
  if (path.includes("#")) await press();
  expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/sign-in?next=/next");
});
