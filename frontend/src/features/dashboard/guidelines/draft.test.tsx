import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import type { GuidelineVersion } from "@/api/contract";
import { useGuidelinesDraft } from "./useGuidelinesDraft";

const version = (number: number, text: string): GuidelineVersion => ({ number, text, author: "Ada", created_at: "2026-01-01T00:00:00Z", must_be_read: true, digest: "d" });
const FIRST = version(1, "One.");
const render = (versions: GuidelineVersion[]) => renderHook((all: GuidelineVersion[]) => useGuidelinesDraft("s1", all), { initialProps: versions });

it("a draft outlives the tab's content and a colleague's version, and ends when it is published", () => {
  const first = render([FIRST]);
  act(() => first.result.current.setText("One and a half."));
  first.unmount();
  const { result, rerender } = render([version(2, "Two."), FIRST]);
  expect(result.current).toMatchObject({ text: "One and a half.", isOutdated: true });
  rerender([version(3, "One and a half."), version(2, "Two."), FIRST]);
  expect(result.current).toMatchObject({ text: "One and a half.", isOutdated: false });
  expect(render([version(4, "Four.")]).result.current.text).toBe("Four.");
});

it("a text without changes follows the newest version", () => {
  const { result, rerender } = render([FIRST]);
  rerender([version(2, "Two."), FIRST]);
  expect(result.current).toMatchObject({ text: "Two.", isOutdated: false });
});
