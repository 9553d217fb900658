// The list of a kind of records, by the name that the service gives the kind.
import type { Resource } from './resource.ts'
import { resourceOf } from './resources.ts'

const LISTS: Readonly<Record<string, string>> = {
  collaborator: 'people',
  vendor_key: 'vendor-keys',
  job: 'jobs',
  company_settings: 'settings',
}

export const resourceOfKind = (kind: string): Resource | undefined =>
  resourceOf(LISTS[kind] ?? `${kind.replaceAll('_', '-')}s`)
