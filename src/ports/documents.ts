// Documents on paper: what a sheet says, in its reader's words already; how it looks is the adapter's.

export type Fact = { label: string; value: string }

/** `share` is the column's part of the width; the shares of a table add up to 1. */
export type Column = { label: string; share: number; align: 'left' | 'right' }

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'facts'; facts: Fact[] }
  | { kind: 'table'; columns: Column[]; rows: string[][]; totals: Fact[] }
  /** Something for a machine to read, with words beside it. */
  | { kind: 'qr'; content: string; caption: string }

/** Everything is text as people wrote it; a sheet has no markup. */
export type Sheet = {
  language: 'pt-BR' | 'en'
  title: string
  /** What tells this one from others: a number, a code. */
  reference: string
  /** ISO 8601, of the record's last change: the same record gives the same bytes. */
  madeAt: string
  /** The legal entity that issues it. */
  letterhead: { name: string; lines: string[] }
  recipient: { label: string; lines: string[] }
  blocks: Block[]
  /** Across each page, for what no longer counts. */
  watermark?: string
  /** Above everything, so that nobody misses it. */
  notice?: string
  /** `Page {page} of {pages}` */
  pageOf: string
}

/** Throws `Busy` when too many wait or one takes too long. */
export type Documents = {
  render(sheet: Sheet): Promise<Uint8Array>
}
