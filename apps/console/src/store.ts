// A value that lives outside of the screens, and is followed by them.
import { useSyncExternalStore } from 'react'

export type Store<Value> = {
  get: () => Value
  set: (value: Value) => void
  /** Gives what stops it. */
  listen: (read: () => void) => () => void
}

export function storeOf<Value>(first: Value): Store<Value> {
  let value = first
  const readers = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const read of readers) read()
    },
    listen(read) {
      readers.add(read)
      return () => void readers.delete(read)
    },
  }
}

export const useStore = <Value>({ listen, get }: Store<Value>): Value => useSyncExternalStore(listen, get)
