// What the worker does for contracts: their end, and the warnings before it, by each legal entity's calendar.
import { filingConsumers, filingJobs } from '#areas/documents-of-record/archive-document.ts'
import { dayIn } from '#kernel/values/calendar.ts'
import type { IoContext } from '#kernel/data/context.ts'
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

export const contractJobs = [
  ...filingJobs(contractDocument),
  systemJob({
    kind: 'contracts/expire',
    everySeconds: 60,
    before: async (outside, _job, { inOrganization }) => {
      for (const { organization_id, id } of await outside.read(contracts.over(todayOf(outside), BATCH)))
        await inOrganization(organization_id, (ctx) => expireContract(ctx, id))
    },
  }),
  systemJob({
    kind: 'contracts/warn',
    everySeconds: 60,
    before: async (outside, _job, { inOrganization }) => {
      const { expiryWarningDays } = outside.ports.settings
      for (const { organization_id, id } of await outside.read(
        contracts.warnable(todayOf(outside), expiryWarningDays, BATCH),
      ))
        await inOrganization(organization_id, (ctx) => warnOfContract(ctx, id))
    },
  }),
]

export const contractConsumers = filingConsumers(contractDocument)
