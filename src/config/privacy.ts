// Privacy: how long exports are kept, when an erasure begins, and what fiscal law demands.
import { daysKept, number } from './readers.ts'
import type { Variables } from './variable.ts'

export const PRIVACY = {
  exportDays: {
    name: 'PRIVACY_EXPORT_DAYS',
    meaning: 'Days after which the file of an export of personal data, or of an organization, is removed',
    fallback: '7',
    read: number(1, 90),
  },
  erasureDays: {
    name: 'ERASURE_DAYS',
    meaning: 'Days in which the erasure of a person can be cancelled; then it begins',
    fallback: '7',
    read: number(0, 30),
  },
  fiscalYears: {
    name: 'FISCAL_YEARS',
    meaning: 'Years for which fiscal documents are kept after an erasure, 5 at least',
    fallback: '5',
    read: number(5, 30),
  },
  deadLetterDays: {
    name: 'DEAD_LETTER_DAYS',
    meaning: 'Days for which jobs that were given up are kept, 30 at least; 0 keeps them all',
    fallback: '0',
    read: daysKept,
  },
  importRowsDays: {
    name: 'IMPORT_ROWS_DAYS',
    meaning: 'Days for which the report on each line of an import is kept after its end, 30 at least; 0 keeps them all',
    fallback: '0',
    read: daysKept,
  },
} as const satisfies Variables
