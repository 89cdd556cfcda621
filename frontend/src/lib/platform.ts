/** Macs have a key of their own for commands. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
