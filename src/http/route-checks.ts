// What is made of a route once, when it is registered, for each of its requests.
import type { Expansion } from '#http/features/expand.ts'
import type { OperationRoutes } from '#http/features/operation-routes.ts'
import type { RecordRead } from '#http/features/precondition.ts'
import type { FieldSelector } from '#http/features/sparse-fields.ts'
import type { Check } from '#kernel/values/validation/validation.ts'

type Address = (query: Record<string, unknown>) => Record<string, unknown>

export type RouteChecks = {
  params: Check | null
  query: Check
  body: Check | null
  /** Bring addresses into the form in which they are kept. */
  ascii: { query: Address; body: (value: unknown) => unknown }
  record: RecordRead | null
  cut: FieldSelector
  expansion?: Expansion | null
  /** The routes of the operations of a bulk. */
  operations?: OperationRoutes
}
