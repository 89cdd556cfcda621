/**
 * Small things that the browser keeps for this site. Where storage is switched off or full, they
 * are kept for as long as the page is open: nothing on any page may depend on more.
 */
class BrowserStorage {
  readonly #memory = new Map<string, string | null>();

  /** Merely naming a storage that is switched off throws. */
  constructor(private readonly storage: () => Storage) {}

  read(key: string): string | null {
    const inMemory = this.#memory.get(key);
    if (inMemory !== undefined) return inMemory;
    return this.#isAvailable(() => this.storage().getItem(key)) ?? null;
  }

  write(key: string, value: string): void {
    this.#write(key, value, () => this.storage().setItem(key, value));
  }

  remove(key: string): void {
    this.#write(key, null, () => this.storage().removeItem(key));
  }

  #write(key: string, value: string | null, write: () => void): void {
    this.#memory.set(key, value);
    this.#isAvailable(() => {
      write();
      this.#memory.delete(key);
    });
  }

  #isAvailable<Result>(use: () => Result): Result | undefined {
    try {
      return use();
    } catch (error) {
      if (error instanceof DOMException) return undefined;
      throw error;
    }
  }
}

/** Shared by the tabs of this browser, and there the next time. */
export const deviceStorage = new BrowserStorage(() => localStorage);

/** For this tab alone, until it closes. */
export const tabStorage = new BrowserStorage(() => sessionStorage);
