import type { ComponentType, ReactNode } from "react";
import { Part, usePart } from "@/lib/part";
import { PartFailed } from "./PartFailed";

interface Waiting {
  /** In its place until its code is there. */
  waiting?: ReactNode;
}

/** A component whose code comes when it is first drawn. Where the code does not arrive, the page stays as it is. */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props & Waiting> {
  const part = new Part(load);
  return function OnDemand(props: Props & Waiting) {
    const { module: Loaded, hasFailed } = usePart(part, true);
    if (Loaded) return <Loaded {...props} />;
    return hasFailed ? <PartFailed onRetry={part.load} /> : props.waiting;
  };
}
