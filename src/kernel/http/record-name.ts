// What a refusal calls the record that the path names: `Quote not found`, `Maintenance window not found`.
import { AppError, ERRORS, notFound } from './errors.ts'
import { singular } from './operation-id.ts'

/** A 404 that says nothing of its own says what was looked for. */
export function namingRecord(error: unknown, path: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'NOT_FOUND' || error.message !== ERRORS.NOT_FOUND.message)
    return error
  const record = recordOf(path)
  return record === undefined ? error : notFound(`${record} not found`)
}

/** `/tax-invoices/{id}/pdf` → Tax invoice; of several the last one, without which the others do not help. */
function recordOf(path: string): string | undefined {
  const segments = path.split('/')
  const at = segments.findLastIndex((segment) => segment.startsWith('{') && segment.endsWith('}'))
  // A code says whose it is in the segment before: `/entitlements/code/{code}`.
  const name = segments[at] === '{code}' ? segments[at - 2] : segments[at - 1]
  if (!name || segments[1] === 'webhooks') return undefined
  if (name === 'parked') return 'Parked job'
  const words = singular(name).replaceAll('-', ' ').replace(/^api /, 'API ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
