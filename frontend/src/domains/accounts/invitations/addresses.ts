/** Addresses as they are pasted: by commas, semicolons or lines, with or without names. */
export function parseAddresses(text: string): string[] {
  const parts = text.split(/[,;\n\r]+/).flatMap((part) => {
    const named = /<([^<>]*)>/.exec(part);
    // Without a name, spaces separate addresses too.
    return named ? [named[1] ?? ""] : part.trim().split(/\s+(?=\S*@)/);
  });
  return [...new Set(parts.map((part) => part.trim().toLowerCase()).filter(Boolean))];
}
