// The vendor's in-process hooks (docs/hooks.md). Each event with a hook becomes a job, so a hook is called after the
// commit and at least once; one that fails is retried, then becomes a dead letter.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { EventType } from '#kernel/data/table.ts'
import type { Consumer, Hook, HookEvent, Hooks } from '#kernel/data/events.ts'
import { eventJobKind } from '#kernel/data/job-kinds.ts'
import { PermanentFailure, type Job, organizationJob } from '#kernel/jobs/jobs.ts'
import { sql } from '#kernel/values/sql.ts'

const callHook = eventJobKind('hooks/call')

/** One job per event calls the hook of the event and the hook `*`. */
export const hookConsumers = (hooks: Hooks): Consumer[] =>
  (Object.hasOwn(hooks, '*') ? ['*'] : Object.keys(hooks)).filter(isEvent).map((event) => ({ event, job: callHook }))

const isEvent = (name: string): name is EventType | '*' => /^(\*|titular\/[\w-]+\/[\w-]+)$/.test(name)

type EventRow = {
  id: number
  type: string
  organization_id: number
  sequence: number
  resource: string
  resource_id: number
  data: Record<string, unknown>
  at: string
}

export function hookJob(hooks: Hooks): Job {
  return organizationJob(callHook, {
    before: async ({ read, organizationId }, { payload }) => {
      const [row] = await read<EventRow>(sql`
        select id, type, organization_id, sequence, resource, resource_id, data, at from events
         where organization_id = ${organizationId} and id = ${payload.event_id}`)
      if (!row) throw new PermanentFailure(`event ${payload.event_id} is not there`)
      for (const hook of [hooks[row.type], hooks['*']]) await hook?.(eventOf(row))
    },
  })
}

const eventOf = ({ organization_id, resource_id, ...row }: EventRow): HookEvent => ({
  ...row,
  organizationId: organization_id,
  resourceId: resource_id,
})

/** The module that HOOKS names: `export const hooks = { 'titular/quote/paid': async (event) => { … } }`. */
export async function loadHooks(path: string | null): Promise<Hooks> {
  if (path === null) return {}
  const module: unknown = await import(pathToFileURL(resolve(path)).href)
  const hooks = typeof module === 'object' && module !== null && 'hooks' in module ? module.hooks : undefined
  if (!isHooks(hooks)) throw new Error(`HOOKS: ${path} must export "hooks", an object of event name to function`)
  return hooks
}

function isHooks(value: unknown): value is Record<string, Hook> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(([name, hook]) => typeof hook === 'function' && isEvent(name))
  )
}
