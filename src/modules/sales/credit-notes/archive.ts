// A credit note never changes, so it is archived when it is issued.
import type { Archivable } from '#modules/documents/documents-of-record/archive-document.ts'
import { archiving } from '#modules/documents/documents-of-record/archive-document.ts'
import { languageFor, onlyRecipient } from '#modules/documents/documents-of-record/parties.ts'
import { type CreditNoteFacts, creditNoteFacts, creditNotePdf } from './document.ts'
import { creditNotesTable } from './credit-note.ts'

export const creditNoteDocument: Archivable<CreditNoteFacts> = {
  resource: 'credit_note',
  events: [creditNotesTable.events.created],
  facts: creditNoteFacts,
  make: creditNotePdf,
  language: (io, { note: { billing }, recipient }) =>
    languageFor(io, billing === null ? recipient : onlyRecipient(billing)),
  version: () => 'issued',
}

export const creditNoteArchiving = archiving(creditNoteDocument)
