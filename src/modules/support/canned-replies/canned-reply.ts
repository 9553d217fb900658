// A text of the vendor for comments on tickets, with placeholders, in both languages of customers.
import { type Static, Type } from 'typebox'
import type { Rules } from '#http/route.ts'
import { Closed, Company, Id, Name, Nullable, Paging, PartFilter, Timestamp } from '#kernel/values/schema.ts'
import { LANGUAGES } from '#texts/language.ts'
import { strangePlaceholders, PLACEHOLDERS } from './placeholders.ts'

/** As long as a comment may be. */
const Body = Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S' })

const fields = {
  name: { ...Name, description: 'Once for each legal entity, ignoring case', examples: ['Restarted'] },
  company: Nullable({ ...Company, description: 'The legal entity whose tickets it is for; null: for all tickets' }),
  body_pt_br: { ...Body, examples: ['Olá, {{requester_name}}! Reiniciamos o serviço.'] },
  body_en: { ...Body, examples: ['Hello {{requester_name}}, we have restarted the service.'] },
}

export const CannedReply = Type.Object(
  { id: Id, ...fields, created_at: Timestamp, updated_at: Timestamp },
  { description: 'A text of the vendor for comments on tickets' },
)
export type CannedReply = Static<typeof CannedReply>

export const NewCannedReply = Closed({ ...fields, company: Type.Optional(fields.company) })
export type NewCannedReply = Static<typeof NewCannedReply>

export const CannedReplyChange = Closed(Type.Partial(Type.Object(fields)).properties)
export type CannedReplyChange = Static<typeof CannedReplyChange>

const SEARCH = { search: PartFilter('the name or the texts') }

export const CannedReplyFilters = Closed({
  ...Paging,
  ...SEARCH,
  company: Type.Optional({ ...Company, description: 'Those for this legal entity, and those for all tickets' }),
})
export type CannedReplyFilters = Static<typeof CannedReplyFilters>

export const TicketReplyFilters = Closed(SEARCH)
export type TicketReplyFilters = Static<typeof TicketReplyFilters>

/** A placeholder that nobody fills would be sent to a customer as it is. */
export const cannedReplyRules: Rules<CannedReplyChange> = ({ body_pt_br = '', body_en = '' }) => ({
  ...placeholderProblem('body_pt_br', body_pt_br),
  ...placeholderProblem('body_en', body_en),
})

function placeholderProblem(field: string, body: string): Record<string, string> {
  const strange = strangePlaceholders(body)
  return strange.length === 0
    ? {}
    : { [field]: `has the unknown placeholder ${strange.join(', ')}; there are ${PLACEHOLDERS.join(', ')}` }
}

export const TicketReplies = Type.Object(
  {
    language: Type.Enum(LANGUAGES, { description: 'That of whoever opened the ticket', examples: ['pt-BR'] }),
    company: Company,
    canned_replies: Type.Array(
      Type.Object({
        id: Id,
        name: fields.name,
        body: { ...Body, description: 'With its placeholders filled', examples: ['Olá, Ana! Reiniciamos o serviço.'] },
      }),
    ),
  },
  { description: 'The texts that staff can comment on a ticket with' },
)
export type TicketReplies = Static<typeof TicketReplies>
