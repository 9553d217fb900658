// What was typed and not saved, over a reload and an ended session; it goes with the tab, and with the signing out.
import { useEffect, useRef } from 'react'
import type { Draft } from './draft.ts'

const nameOf = (place: string): string => `quote ${place}`

export function remembered(place: string): Draft | null {
  const text = sessionStorage.getItem(nameOf(place))
  if (text === null) return null
  const kept: unknown = JSON.parse(text)
  return isDraft(kept) ? kept : null
}

/** Written by this page alone, so the form of its fields is known. */
const isDraft = (kept: unknown): kept is Draft =>
  typeof kept === 'object' && kept !== null && 'lines' in kept && Array.isArray(kept.lines)

export const forget = (place: string): void => sessionStorage.removeItem(nameOf(place))

/** Keeps what is typed from the first change on. */
export function useMemory(place: string, draft: Draft): void {
  const first = useRef(draft)
  useEffect(() => {
    if (draft !== first.current) sessionStorage.setItem(nameOf(place), JSON.stringify(draft))
  }, [place, draft])
}
