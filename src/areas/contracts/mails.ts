// Mails about a contract: to everybody in the organization who may see it, each with a job of its own.
import { sendMail } from '#areas/notifications/send-mail.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import { sql } from '#kernel/data/sql.ts'
import { contracts } from './queries.ts'

type Fact = { id: number; title: string; status: string; end_date: string | null; organization_name: string }

const factOf = (org: number, id: unknown) => sql<Fact>`
  select c.id, c.title, c.status, c.end_date, o.name as organization_name
    from contracts c join organizations o on o.organization_id = ${org} and o.id = c.organization_id and o.deleted_at is null
   where c.organization_id = ${org} and c.id = ${id}`

const KINDS = ['contract-ending', 'contract-notice'] as const
type Kind = (typeof KINDS)[number]

const announce = (kind: Kind) =>
  organizationJob({
    kind: `contracts/announce-${kind}`,
    run: async (ctx, { payload }) => {
      for (const { user_id } of await ctx.ask(contracts.readers(ctx.organizationId, ctx.now)))
        await enqueue(ctx, `contracts/mail-${kind}`, { contract_id: payload['resource_id'], user_id })
    },
  })

const mail = (kind: Kind) =>
  organizationJob({
    kind: `contracts/mail-${kind}`,
    before: async (outside, job) => {
      const { contract_id, user_id } = job.payload
      const org = outside.organizationId ?? 0
      const [fact] = await outside.read(factOf(org, contract_id))
      const reader = (await outside.read(contracts.readers(org, outside.now))).find((one) => one.user_id === user_id)
      // Renewed or ended meanwhile, or the organization was deleted; or the reader has left the organization, or lost the scope.
      if (!fact?.end_date || !['active', 'suspended'].includes(fact.status) || !reader) return
      const { organization_name: organizationName, title, end_date: endDate } = fact
      await sendMail(outside, job, reader, { kind, organizationName, title, endDate, link: null })
    },
  })

export const contractMailJobs = KINDS.flatMap((kind) => [announce(kind), mail(kind)])

export const contractMailConsumers = [
  { event: 'titular/contract/ending', job: 'contracts/announce-contract-ending' },
  { event: 'titular/contract/notice_window', job: 'contracts/announce-contract-notice' },
] as const
