/** The text that an expert agrees to; a changed text gets a new name and is asked again. */
export const CONSENT_VERSION = "1";
