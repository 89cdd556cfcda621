/// <reference lib="webworker" />
import { layoutNodes, type LayoutInput } from "./nodeLayout";

const scope = self as unknown as DedicatedWorkerGlobalScope;

scope.addEventListener("message", ({ data }: MessageEvent<{ number: number; task: LayoutInput }>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker answers its own page
  scope.postMessage({ number: data.number, places: layoutNodes(data.task) });
});
