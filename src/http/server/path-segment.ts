// A part of the path of a request to the public API in the same process.

/** Two dots would lead to another endpoint. The sign in their place is a token that opens nothing. */
export const pathSegment = (text: string): string => (/^\.+$/.test(text) ? '-' : encodeURIComponent(text))
