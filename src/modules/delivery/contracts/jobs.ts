// The jobs of contracts: expiry and warnings, by the date of each legal entity, and archiving.
import { archiving } from '#modules/documents/documents-of-record/archive-document.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { sweepJob } from '#kernel/jobs/sweep.ts'
import { contractDocument } from './archive.ts'
import { contracts } from './queries.ts'
import { expireContract, warnOfContract } from './move-contract.ts'

const archived = archiving(contractDocument)
const expireContracts = jobKind('contracts/expire', {})
const warnOfContracts = jobKind('contracts/warn', {})

export const contractJobs = [
  ...archived.jobs,
  sweepJob(expireContracts, { due: contracts.over, act: (ctx, { id }) => expireContract(ctx, id) }),
  sweepJob(warnOfContracts, {
    due: contracts.warnable,
    moments: contracts.warningDays,
    act: (ctx, { id }) => warnOfContract(ctx, id),
  }),
]

export const contractConsumers = archived.consumers
