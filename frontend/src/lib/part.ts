import { useEffect, useSyncExternalStore } from "react";

interface State<Module> {
  /** Null until it has loaded. */
  module: Module | null;
  hasFailed: boolean;
}

/**
 * A module that is loaded on demand and then drawn at once. React.lazy suspends at its first drawing even if the module is
 * there, and where it cannot be loaded it takes the whole page along, with what was entered.
 */
export class Part<Module> {
  private state: State<Module> = { module: null, hasFailed: false };
  private isLoading = false;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly fetchModule: () => Promise<Module>) {}

  readonly getState = (): State<Module> => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Once; again after a failure. */
  readonly load = async (): Promise<void> => {
    if (this.isLoading || this.state.module) return;
    this.isLoading = true;
    this.change({ module: null, hasFailed: false });
    try {
      this.change({ module: await this.fetchModule(), hasFailed: false });
    } catch {
      this.change({ module: null, hasFailed: true });
    } finally {
      this.isLoading = false;
    }
  };

  private change(state: State<Module>): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

/** Loads the part where it is needed. */
export function usePart<Module>(part: Part<Module>, isNeeded: boolean): State<Module> {
  const state = useSyncExternalStore(part.subscribe, part.getState);
  useEffect(() => {
    if (isNeeded) void part.load();
  }, [part, isNeeded]);
  return state;
}
