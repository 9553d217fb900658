// Search texts: what the user typed is text, never a pattern.

/** `%text%` for LIKE with the text's own signs escaped. */
export const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
