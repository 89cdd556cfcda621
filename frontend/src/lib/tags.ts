/** The fields of expertise in a list with commas. */
export const parseTags = (text: string) => text.split(",").map((tag) => tag.trim()).filter(Boolean);
