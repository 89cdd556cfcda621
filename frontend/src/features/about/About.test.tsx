import { screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { mockServer, renderRoute } from "@/test/visit";
import { AboutPage, citation } from "./AboutPage";
import { PrivacyPage } from "./PrivacyPage";

const routes = [{ path: "/about", Component: AboutPage }, { path: "/privacy", Component: PrivacyPage }];

function setContact(address: string) {
  const meta = document.createElement("meta");
  Object.assign(meta, { name: "serendib-contact", content: address });
  document.head.append(meta);
}

afterEach(() => document.head.querySelectorAll('meta[name^="serendib-"]').forEach((meta) => meta.remove()));

it.each(["/about", "/privacy"])("leads from %s to the person who invited, until an address is set", async (path) => {
  mockServer(() => undefined);
  renderRoute(routes, path);
  expect(await screen.findByText(/the person who invited you/)).toBeInTheDocument();
});

it.each(["/about", "/privacy"])("shows on %s the address that the server has set", async (path) => {
  mockServer(() => undefined);
  setContact("contact@serendib.example");
  renderRoute(routes, path);
  const link = await screen.findByRole("link", { name: "contact@serendib.example" });
  expect(link).toHaveAttribute("href", "mailto:contact@serendib.example");
});

it("cites a version where it is known", () => {
  expect(citation("0.1.0")).toContain("version = {0.1.0}");
  expect(citation("")).not.toContain("version");
});
