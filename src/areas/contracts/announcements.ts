// The mails before a contract ends, to members with the scope `contracts`.
import { announcement } from '#areas/notifications/announcement.ts'
import { portalLink } from '#areas/notifications/portal-link.ts'
import { membersWith } from '#areas/notifications/recipients.ts'
import { allows } from '#kernel/data/moves.ts'
import { type Contract, contractMoves, contractsTable } from './contract.ts'
import { contracts } from './queries.ts'

const about = { audience: membersWith('contracts'), facts: contracts.mailFacts }

/** Null when the contract was renewed or has ended meanwhile. */
function endOf<Common>(
  { status, title, end_date: endDate }: Pick<Contract, 'status' | 'title' | 'end_date'>,
  common: Common,
) {
  return endDate !== null && allows(contractMoves.expire, status) ? { ...common, title, endDate } : null
}

const contractEnding = announcement({
  ...about,
  mail: 'contract-ending',
  event: contractsTable.events.ending,
  link: ({ id }, io) => portalLink(io, 'contract', id),
  content: (contract, common) => endOf(contract, common),
})

const contractNotice = announcement({
  ...about,
  mail: 'contract-notice',
  event: contractsTable.events.notice_window,
  link: ({ id }, io) => portalLink(io, 'contract', id),
  content: (contract, common) => endOf(contract, common),
})

export const contractAnnouncements = [contractEnding, contractNotice]
