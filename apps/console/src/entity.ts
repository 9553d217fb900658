// The legal entity of the vendor with which somebody works: the one that they have chosen, else that of the organization.
import type { Company } from '@titular/sdk'
import { useSyncExternalStore } from 'react'

export const COMPANIES: readonly Company[] = ['entity_br', 'entity_global']

const KEY = 'company'

const isCompany = (value: unknown): value is Company => COMPANIES.some((one) => one === value)

function keptCompany(): Company | null {
  const kept = localStorage.getItem(KEY)
  return isCompany(kept) ? kept : null
}

let chosen = keptCompany()
let own: Company | null = null
const listeners = new Set<() => void>()

function changed(): void {
  for (const listen of listeners) listen()
}

function listenTo(listen: () => void): () => void {
  listeners.add(listen)
  return () => void listeners.delete(listen)
}

/** What requests name; null leaves the choice to the service. */
export const chosenCompany = (): Company | null => chosen

export function chooseCompany(value: string): void {
  chosen = isCompany(value) ? value : null
  if (chosen) localStorage.setItem(KEY, chosen)
  else localStorage.removeItem(KEY)
  changed()
}

/** Of the organization in which the person is, by its country, as the service decides it; null outside of one. */
export function setOwnCompany(country: string | null | undefined): void {
  const found =
    country === undefined
      ? null
      : /^\s*(br|bra|brazil|brasil)?\s*$/i.test(country ?? '')
        ? 'entity_br'
        : 'entity_global'
  if (found === own) return
  own = found
  changed()
}

export const useChosenCompany = (): Company | null => useSyncExternalStore(listenTo, chosenCompany)

/** Whose brand is shown; null while nothing says which. */
export const useCompany = (): Company | null => useSyncExternalStore(listenTo, () => chosen ?? own)
