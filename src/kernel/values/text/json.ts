// JSON that others sent.

/** Undefined for what is not JSON. */
export function parsedJson(text: string | Buffer): unknown {
  try {
    return JSON.parse(text.toString())
  } catch {
    return undefined
  }
}
