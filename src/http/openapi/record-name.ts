// Names the record in the message of a 404: `Quote not found`, `Maintenance window not found`.
import { AppError, ERRORS, notFound } from '#kernel/values/errors.ts'
import { singular } from './operation-id.ts'

/** Replaces the general message of a 404; a message of its own is kept. */
export function namingRecord(error: unknown, path: string): unknown {
  if (!(error instanceof AppError) || error.code !== 'NOT_FOUND' || error.message !== ERRORS.NOT_FOUND.message)
    return error
  const record = recordOf(path)
  return record === undefined ? error : notFound(`${record} not found`)
}

/** `/tax-invoices/{id}/pdf` → Tax invoice. Of several records in the path, the last one. */
function recordOf(path: string): string | undefined {
  const segments = path.split('/')
  const at = segments.findLastIndex((segment) => segment.startsWith('{') && segment.endsWith('}'))
  // `/entitlements/code/{code}`: the record stands one segment further left.
  const name = segments[at] === '{code}' ? segments[at - 2] : segments[at - 1]
  // `/admin/queue/{kind}/{id}`: its kind says what it is.
  if (!name || name.startsWith('{') || segments[1] === 'webhooks') return undefined
  const words = singular(name)
    .replaceAll('-', ' ')
    .replace(/^(api|crm) /, (word) => word.toUpperCase())
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
