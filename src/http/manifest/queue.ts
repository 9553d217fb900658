// What an area declares as waiting for staff: records in a state in which somebody has to act, and the route to act
// with.
import type { StaffScope } from '#kernel/values/staff-roles.ts'
import type { Route } from '#http/route.ts'
import type { Statement } from '#kernel/values/sql.ts'

export type QueueSource = {
  /** A segment of paths. */
  kind: string
  /** What staff need: to see the items in the queue, and to change them. */
  scope: StaffScope
  /** What waits, for the readers of openapi.json. */
  waits: string
  /**
   * `id`, `organization_id` (null for the vendor's own), `label` and `since`, of all organizations, read from an index.
   * An item leaves the queue when its record leaves this state, and in no other way.
   */
  rows: Statement
  /**
   * With `{id}`; SQL where it depends on the row `w`. `inOrganization`: the request names the organization in its
   * header.
   */
  act: { method: Route['method']; path: string | Statement; inOrganization?: true }
}
