/** The text that an expert agrees to; a changed text gets a new name and needs a new consent. */
export const CONSENT_VERSION = "1";
