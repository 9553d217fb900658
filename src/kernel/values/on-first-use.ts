// A value that is made when it is first asked for, and then kept: what most starts do not need should not cost them
// anything.

/**
 * A promise that fails is not kept: a module or file that could not be opened for want of descriptors is tried again.
 */
export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    if (made) return made.value
    const value = make()
    made = { value }
    if (value instanceof Promise) value.catch(() => (made = null))
    return value
  }
}
