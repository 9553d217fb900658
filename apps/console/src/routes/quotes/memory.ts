// What was typed and not saved, over a reload and an ended session; it goes with the tab, and with the signing out.
import { useEffect, useRef } from 'react'
import type { Draft } from './draft.ts'

/** With the ETag of the quote that it began with, so that a reload does not take what others saved meanwhile for seen. */
type Memory = { draft: Draft; etag: string | null }

const nameOf = (place: string): string => `quote ${place}`

export function remembered(place: string): Memory | null {
  const text = sessionStorage.getItem(nameOf(place))
  if (text === null) return null
  const kept: unknown = JSON.parse(text)
  return isMemory(kept) ? kept : null
}

/** Written by this page alone, so the form of its fields is known. */
const isMemory = (kept: unknown): kept is Memory => typeof kept === 'object' && kept !== null && 'draft' in kept

export const forget = (place: string): void => sessionStorage.removeItem(nameOf(place))

/** Keeps what is typed from the first change on. */
export function useMemory(place: string, { draft, etag }: Memory): void {
  const first = useRef(draft)
  useEffect(() => {
    if (draft !== first.current) sessionStorage.setItem(nameOf(place), JSON.stringify({ draft, etag }))
  }, [place, draft, etag])
}
