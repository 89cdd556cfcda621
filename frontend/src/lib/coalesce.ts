/**
 * Runs a task at once, and once more if it was requested while it ran: twenty notifications in a
 * second cost two runs. Runs start at least `gapMs` apart.
 */
export function coalesce(task: () => Promise<unknown>, gapMs: number): () => void {
  let busy = false;
  let again = false;
  const run = async () => {
    busy = true;
    do {
      again = false;
      await Promise.all([task(), new Promise((done) => setTimeout(done, gapMs))]);
    } while (again);
    busy = false;
  };
  return () => {
    again = true;
    if (!busy) void run();
  };
}
