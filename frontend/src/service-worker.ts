/// <reference lib="webworker" />
declare const __SHELL_FILES__: string[];
export const shellFiles = __SHELL_FILES__;
