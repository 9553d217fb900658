// The jobs of contracts: expiry and warnings, by the date of each legal entity, and archiving.
import { archiving } from '#areas/documents-of-record/archive-document.ts'
import { dayIn } from '#kernel/values/calendar.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/jobs/job-kinds.ts'
import { systemJob } from '#kernel/jobs/jobs.ts'
import '#ports/ports.ts'
import { contractDocument } from './archive.ts'
import { contracts, type Today } from './queries.ts'
import { expireContract, warnOfContract } from './move-contract.ts'

const BATCH = 500

function todayOf({ now, ports }: IoContext): Today {
  const { entity_br, entity_global } = ports.settings.entities
  return { entity_br: dayIn(now, entity_br.timeZone), entity_global: dayIn(now, entity_global.timeZone) }
}

const archived = archiving(contractDocument)
const expireContracts = jobKind('contracts/expire', {})
const warnOfContracts = jobKind('contracts/warn', {})

export const contractJobs = [
  ...archived.jobs,
  systemJob(expireContracts, {
    everySeconds: 60,
    before: async (io, _job, { inOrganization }) => {
      for (const { organization_id, id } of await io.read(contracts.over(todayOf(io), BATCH)))
        await inOrganization(organization_id, (ctx) => expireContract(ctx, id))
    },
  }),
  systemJob(warnOfContracts, {
    everySeconds: 60,
    before: async (io, _job, { inOrganization }) => {
      const { expiryWarningDays } = io.ports.settings
      for (const { organization_id, id } of await io.read(contracts.warnable(todayOf(io), expiryWarningDays, BATCH)))
        await inOrganization(organization_id, (ctx) => warnOfContract(ctx, id))
    },
  }),
]

export const contractConsumers = archived.consumers
