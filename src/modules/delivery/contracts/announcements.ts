// The mails before a contract ends, to members with the scope `contracts`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { allows } from '#kernel/data/moves.ts'
import { type Contract, contractMoves, contractsTable } from './contract.ts'
import { contracts } from './queries.ts'

const shared = { contact: 'legal', audience: membersWith('contracts'), facts: contracts.mailFacts } as const

/** Null when the contract was renewed or has ended meanwhile. */
function endOf<Common>(
  { status, title, end_date: endDate }: Pick<Contract, 'status' | 'title' | 'end_date'>,
  common: Common,
) {
  return endDate !== null && allows(contractMoves.expire, status) ? { ...common, title, endDate } : null
}

const contractEnding = announcement({
  ...shared,
  mail: 'contract-ending',
  event: contractsTable.events.ending,
  about: ({ id }) => ({ record: 'contract', id }),
  content: (contract, common) => endOf(contract, common),
})

const contractNotice = announcement({
  ...shared,
  mail: 'contract-notice',
  isMandatory: true,
  event: contractsTable.events.notice_window,
  about: ({ id }) => ({ record: 'contract', id }),
  content: (contract, common) => endOf(contract, common),
})

export const contractAnnouncements = [contractEnding, contractNotice]
