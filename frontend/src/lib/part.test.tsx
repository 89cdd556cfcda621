import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Part, usePart } from "./part";

const loaded = { Panel: () => <p>The panel</p> };

function Host({ part, isNeeded }: { part: Part<typeof loaded>; isNeeded: boolean }) {
  const { module, hasFailed } = usePart(part, isNeeded);
  return <main>{module ? <module.Panel /> : hasFailed ? "It failed" : "Not here"}</main>;
}

test("a part that was loaded before is there at the first drawing", async () => {
  const part = new Part(async () => loaded);
  await part.load();
  render(<Host part={part} isNeeded />);
  expect(screen.getByText("The panel")).toBeInTheDocument();
});

test("it is loaded when it is needed, and once for all", async () => {
  const fetchModule = vi.fn(async () => loaded);
  const part = new Part(fetchModule);
  const { rerender } = render(<><Host part={part} isNeeded={false} /><Host part={part} isNeeded={false} /></>);
  expect(fetchModule).not.toHaveBeenCalled();
  rerender(<><Host part={part} isNeeded /><Host part={part} isNeeded /></>);
  expect(await screen.findAllByText("The panel")).toHaveLength(2);
  expect(fetchModule).toHaveBeenCalledTimes(1);
});

test("one that cannot be loaded leaves the page as it is, and is there after another attempt", async () => {
  const fetchModule = vi.fn(async () => loaded).mockRejectedValueOnce(new TypeError("Failed to fetch dynamically imported module"));
  const part = new Part(fetchModule);
  render(<Host part={part} isNeeded />);
  expect(await screen.findByText("It failed")).toBeInTheDocument();
  await act(part.load);
  expect(screen.getByText("The panel")).toBeInTheDocument();
});
