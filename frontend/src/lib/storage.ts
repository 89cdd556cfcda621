/**
 * Small things that the browser keeps for this site. Where storage is switched off or full, they
 * are kept for as long as the page is open: nothing on any page may depend on more.
 */
class Store {
  readonly #unkept = new Map<string, string | null>();

  /** Merely naming a storage that is switched off throws. */
  constructor(private readonly storage: () => Storage) {}

  read(key: string): string | null {
    const unkept = this.#unkept.get(key);
    if (unkept !== undefined) return unkept;
    return this.#allowed(() => this.storage().getItem(key)) ?? null;
  }

  keep(key: string, value: string): void {
    this.#write(key, value, () => this.storage().setItem(key, value));
  }

  forget(key: string): void {
    this.#write(key, null, () => this.storage().removeItem(key));
  }

  #write(key: string, value: string | null, write: () => void): void {
    this.#unkept.set(key, value);
    this.#allowed(() => {
      write();
      this.#unkept.delete(key);
    });
  }

  #allowed<Result>(use: () => Result): Result | undefined {
    try {
      return use();
    } catch (error) {
      if (error instanceof DOMException) return undefined;
      throw error;
    }
  }
}

/** Shared by the tabs of this browser, and there the next time. */
export const onDevice = new Store(() => localStorage);

/** For this tab alone, until it closes. */
export const inTab = new Store(() => sessionStorage);
