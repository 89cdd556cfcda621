import { createContext, use } from "react";
import type { Scene } from "./scene";

/** What picture, table and card share: the same scene, one selection, one way to open and collapse. */
export interface SceneView {
  scene: Scene;
  selected: string;
  onSelect: (id: string) => void;
  onToggle: (id: string) => void;
}

export const SceneViewContext = createContext<SceneView | null>(null);

export function useSceneView(): SceneView {
  const view = use(SceneViewContext);
  if (!view) throw new Error("There is no scene around this component.");
  return view;
}
