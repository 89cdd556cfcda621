/** The browser's Web Locks, of which jsdom has none: one holder of a name at a time, in turn. */
export function fakeLocks() {
  let last = new Map<string, Promise<void>>();
  return {
    request(name: string, work: () => Promise<void>): Promise<void> {
      const mine = (last.get(name) ?? Promise.resolve()).then(work, work);
      last.set(name, mine);
      return mine;
    },
    /** What the browser does when the tabs that held them are gone. */
    releaseAll(): void {
      last = new Map();
    },
  };
}
