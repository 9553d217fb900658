// What an act sends, of what was filled in and of the record.
import type { AnyOperation } from '@titular/sdk'
import type { Place } from '../context.tsx'
import type { Action, Item, Viewer } from '../resources/resource.ts'

type Of = { action: Action; record: Item; at: Item; place: Place; viewer: Viewer }

export function parametersOf(filled: Item, { action, record, at, place, viewer }: Of): Item {
  const { operation, body } = action
  const given = {
    ...(action.shape ? action.shape(filled, record) : filled),
    ...body,
    ...action.bodyOf?.(record, viewer),
    ...(action.ofOrganization && { organization_id: place.organization }),
  }
  return {
    ...at,
    ...action.at?.(record, filled),
    ...(hasBody(operation.method) && (body || Object.keys(given).length > 0) ? { body: given } : given),
  }
}

/** Whether it changes a record that is there, so that its ETag is sent. */
export const isChange = ({ method }: AnyOperation): boolean =>
  method === 'PATCH' || method === 'PUT' || method === 'DELETE'

const hasBody = (method: string): boolean => method !== 'GET' && method !== 'DELETE'
