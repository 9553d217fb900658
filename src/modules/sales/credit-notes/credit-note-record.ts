// The credit note as a record that others name, and what it names, for `expand`.
import { OF_ORGANIZATION, type RecordKind } from '#kernel/data/record-kind.ts'
import { CreditNote } from './credit-note.ts'
import { creditNotes } from './queries.ts'

export const creditNoteRecord: RecordKind = {
  name: 'credit_note',
  schema: CreditNote,
  relations: {
    ...OF_ORGANIZATION,
    invoice: { kind: 'invoice', by: 'invoice_id' },
    refund: { kind: 'refund', by: 'refund_id' },
  },
  rows: ({ of }, ids) => creditNotes.views(of, ids),
}
