// What was typed and not sent yet, so that a reload or an ended session loses nothing. It goes with the tab, and at signing
// out. Passwords and files are never kept.
import type { Field, Item } from '../resources/resource.ts'
import type { Values } from './form.tsx'

/** A record as it was when somebody began to change it, with its ETag, so that nobody overwrites what they have not seen. */
export type Begun = { record: Item; etag: string | null }
type Draft = { values: Values; begun: Begun }

const PREFIX = 'draft '

const OWNER = 'owner'

/** Forgets what somebody else has typed in this tab; says whether somebody else was there. */
export function ownDrafts(userId: number): boolean {
  const owner = sessionStorage.getItem(OWNER)
  if (owner === String(userId)) return false
  sessionStorage.clear()
  sessionStorage.setItem(OWNER, String(userId))
  return owner !== null
}

export function draftOf(name: string): Draft | null {
  const text = sessionStorage.getItem(PREFIX + name)
  return text === null ? null : JSON.parse(text)
}

export function keepDraft(name: string, form: readonly Field[], { values, begun }: Draft): void {
  const kept = form.filter(({ as }) => as !== 'password' && as !== 'file').map(({ field }) => [field, values[field]])
  sessionStorage.setItem(PREFIX + name, JSON.stringify({ values: Object.fromEntries(kept), begun }))
}

export const dropDraft = (name: string): void => sessionStorage.removeItem(PREFIX + name)
