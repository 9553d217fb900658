// The jobs of privacy: exports, their end, and erasures that are due, with what they have kept for the years of fiscal
// law.
import { settingOf } from '#ports/settings-in-force.ts'
import { dropFile, keepFile, keepVendorsFile } from '#modules/documents/files/receive-upload.ts'
import { update } from '#kernel/data/changes.ts'
import { first, type OrganizationContext, type SystemContext } from '#kernel/data/context.ts'
import type { ErasureRules } from './organization-erasure.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { type BoundTransactions, type Job, PermanentFailure, systemJob } from '#kernel/jobs/jobs.ts'
import { clearKept, eraseOrganization } from './erase-organization.ts'
import { erasePerson } from './erase-person.ts'
import { eraseDue } from './erasure.ts'
import { makeOrganizationExport, makePersonExport, organizationExportsTable, type PersonExport } from './export.ts'
import type { ExportedTable } from './organization-records.ts'
import { keptOfPeople, organizationErasures } from './organization-erasures.ts'
import { type Due, erasures, organizationExports, personExports } from './queries.ts'
import { exportOrganization, exportPerson } from './write-export.ts'

const BATCH = 100
const DAY_MS = 86_400_000

const removeExpired = jobKind('privacy/remove-exports', {})
const giveUp = jobKind('privacy/give-up-exports', {})

/** Also where its job is a dead letter that staff have restarted. */
const isUnwritten = ({ status }: Pick<PersonExport, 'status'>): boolean => status === 'queued' || status === 'failed'

async function expireOfPeople(ctx: SystemContext, due: readonly Due[]): Promise<void> {
  for (const { id, storage_key } of due)
    if (await first(ctx, personExports.expire(id))) await dropFile(ctx, storage_key)
}

async function expire(ctx: OrganizationContext, { id, storage_key }: Due): Promise<void> {
  const expired = { status: 'expired', storage_key: null } as const
  await update(ctx, organizationExportsTable, id, expired)
  await dropFile(ctx, storage_key)
}

const personExportJob = (people: ErasureRules['people']): Job =>
  systemJob(makePersonExport, {
    before: async (io, { payload }, transactions) => {
      const [asked] = await io.read(personExports.one(payload.export_id))
      return asked && isUnwritten(asked) ? exportPerson(io, transactions, { userId: asked.user_id, people }) : null
    },
    run: async (ctx, { payload }, made) => {
      if (!made) return
      await keepVendorsFile(ctx, made)
      const until = await exportEnds(ctx)
      const done = await first(ctx, personExports.finish(payload.export_id, made, { now: ctx.now, until }))
      if (!done) return dropFile(ctx, made.storage_key)
      await expireOfPeople(ctx, await ctx.ask(personExports.older(done.user_id)))
    },
  })

const organizationExportJob = (tables: readonly ExportedTable[]): Job =>
  systemJob(makeOrganizationExport, {
    before: async (io, { payload: { organization_id: organizationId, export_id: id } }, transactions) => {
      const [asked] = await io.read(organizationExports.one(organizationId, id))
      if (!asked) throw new PermanentFailure(`organization ${organizationId} has no export ${id}`)
      return isUnwritten(asked) ? exportOrganization(io, transactions, { organizationId, tables }) : null
    },
    run: async (ctx, { payload: { organization_id: organizationId, export_id: id } }, made) => {
      if (!made) return
      const inside = await ctx.enter(organizationId)
      // Counted in the organization's quota, and never refused for it: an export is how its data leave.
      await keepFile(inside, made, 'vendor')
      const asked = await first(inside, organizationExports.one(organizationId, id))
      if (!asked || !isUnwritten(asked)) return dropFile(ctx, made.storage_key)
      const { storage_key, size, sha256 } = made
      const file = { storage_key, size, sha256 }
      await update(inside, organizationExportsTable, id, {
        status: 'completed',
        ...file,
        ended_at: ctx.now.toISOString(),
        expires_at: (await exportEnds(ctx)).toISOString(),
      })
      for (const older of await inside.ask(organizationExports.older(organizationId))) await expire(inside, older)
    },
  })

const exportEnds = async (ctx: SystemContext): Promise<Date> =>
  new Date(ctx.now.getTime() + (await settingOf(ctx, 'vendor', 'privacy_export_days')) * DAY_MS)

const ofPeople = <Result>(
  { asSystem }: BoundTransactions,
  run: (ctx: SystemContext) => Promise<Result>,
): Promise<Result> => asSystem('exports of people belong to no organization', run)

const giveUpExports = systemJob(giveUp, {
  everySeconds: 60,
  before: async (io, _job, transactions) => {
    await ofPeople(transactions, (ctx) => ctx.ask(personExports.giveUp(ctx.now)))
    await transactions.inEach(await io.read(organizationExports.givenUp(BATCH)), async (ctx, { id }) => {
      const asked = await first(ctx, organizationExports.one(ctx.organizationId, id))
      const failed = { status: 'failed', ended_at: ctx.now.toISOString() } as const
      if (asked?.status === 'queued') await update(ctx, organizationExportsTable, id, failed)
    })
  },
})

const removeExports = systemJob(removeExpired, {
  everySeconds: 3600,
  before: async (io, _job, transactions) => {
    const people = await io.read(personExports.due(io.now, BATCH))
    if (people.length > 0) await ofPeople(transactions, (ctx) => expireOfPeople(ctx, people))
    await transactions.inEach(await io.read(organizationExports.due(io.now, BATCH)), expire)
  },
})

const eraseDueJob = (rules: ErasureRules): Job =>
  systemJob(eraseDue, {
    everySeconds: 600,
    before: async (io, _job, transactions) => {
      const failures: unknown[] = []
      for (const { id } of await io.read(erasures.due(io.now, BATCH)))
        await erasePerson(io, transactions, { id, people: rules.people }).catch((error: unknown) =>
          failures.push(error),
        )
      for (const due of await io.read(organizationErasures.due(io.now, BATCH)))
        await eraseOrganization(io, transactions, { due, rules }).catch((error: unknown) => failures.push(error))
      for (const kept of await io.read(keptOfPeople.due(io.now, BATCH)))
        await clearKept(transactions, kept, rules.people)
      if (failures.length > 0)
        throw new AggregateError(failures, `${failures.length} erasures failed: ${String(failures[0])}`)
    },
  })

export const privacyJobs = (exported: readonly ExportedTable[], rules: ErasureRules): Job[] => [
  personExportJob(rules.people),
  organizationExportJob(exported),
  giveUpExports,
  removeExports,
  eraseDueJob(rules),
]
