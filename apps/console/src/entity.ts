// The legal entity of the vendor with which somebody works: the one that they chose, else that of their organization.
import type { Company } from '@titular/sdk'
import { storeOf, useStore } from './store.ts'

export const COMPANIES: readonly Company[] = ['entity_br', 'entity_global']

const KEY = 'company'

const isCompany = (value: unknown): value is Company => COMPANIES.some((one) => one === value)

function keptCompany(): Company | null {
  const kept = localStorage.getItem(KEY)
  return isCompany(kept) ? kept : null
}

const chosen = storeOf(keptCompany())
const own = storeOf<Company | null>(null)

/** What requests name; null leaves the choice to the service. */
export const chosenCompany = (): Company | null => chosen.get()

export function chooseCompany(value: string): void {
  const company = isCompany(value) ? value : null
  if (company) localStorage.setItem(KEY, company)
  else localStorage.removeItem(KEY)
  chosen.set(company)
}

/** Of the organization of theirs in which the person is; null outside of one. */
export const setOwnCompany = (company: Company | null): void => own.set(company)

export const useChosenCompany = (): Company | null => useStore(chosen)

/** Whose brand is shown; null while nothing says which. */
export function useCompany(): Company | null {
  const [asked, usual] = [useStore(chosen), useStore(own)]
  return asked ?? usual
}
