// Derives the operation's name in the OpenAPI document and in generated clients from its method and path: `listQuotes`,
// `acceptQuote`, `rotateLicenseKey`. Where the path does not give a good name, the route declares its `operationId`.
import type { Route } from '#http/route.ts'

type NamedRoute = Pick<Route, 'method' | 'path' | 'access' | 'page' | 'features' | 'openapi'>

export function operationIdOf(route: NamedRoute): string {
  const [first, ...rest] = route.path.split('/').filter(Boolean)
  if (route.access.kind === 'signed') return `receive${pascal(rest[0] ?? '')}Webhook`
  const isAdmin = first === 'admin'
  const { operationId } = route.openapi
  const id = operationId ?? within(route, isAdmin || first === 'auth' ? rest : [first ?? '', ...rest])
  return isAdmin ? `admin${upper(id)}` : id
}

/** `/services/{id}/milestones`: the verb, the records before (`Service`), then the last one. */
function within(route: NamedRoute, segments: string[]): string {
  const literals = segments.filter((segment) => !isParameter(segment))
  const last = literals.at(-1) ?? ''
  const of = literals.slice(0, -1).map(singular).map(pascal).join('')
  if (isParameter(segments.at(-1) ?? '')) return ON_ONE[route.method] + of + pascal(singular(last))
  if (route.page) return `list${of}${pascal(last)}`
  if (route.features.file) return `download${of}${pascal(last)}`
  if (route.method !== 'POST') return ON_ONE[route.method] + of + pascal(last)
  if (last === 'status') return `update${of}Status`
  if (isCollection(last)) return `create${of}${pascal(singular(last))}`
  // `/licenses/{id}/rotate-key`: the verb and its object.
  const [verb = '', ...what] = last.split('-')
  return verb + of + pascal(what.join('-'))
}

const ON_ONE = { GET: 'get', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' } as const

const isParameter = (segment: string): boolean => segment.startsWith('{')
const isCollection = (segment: string): boolean => /[^su]s$/.test(segment)
export const singular = (segment: string): string =>
  isCollection(segment) ? segment.replace(/xes$/, 'x').replace(/(ie)?s$/, (_, ie) => (ie ? 'y' : '')) : segment
const upper = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
export const pascal = (text: string): string =>
  text
    .split(/[-_/{}[\]]/)
    .filter(Boolean)
    .map(upper)
    .join('')
