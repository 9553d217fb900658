// A value that is made when it is first asked for, and then kept: what most starts do not need should not cost them anything.

export function onFirstUse<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => (made ??= { value: make() }).value
}
