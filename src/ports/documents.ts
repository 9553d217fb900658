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

/** A cell of a fiscal form, over so many of its four columns; one that `grows` takes what room the page has left. */
export type Cell = Fact & { span: 1 | 2 | 3 | 4; grows?: boolean }

/** Without cells it is one line that says that there is nothing to say. */
export type FormSection = { title: string; rows: Cell[][] }

/**
 * The auxiliary document of a Brazilian tax invoice (DANFSe) on its one page: what the authorized XML says, with the
 * labels of the national layout. It is Portuguese whoever reads it.
 */
export type Danfse = {
  kind: 'danfse'
  /** 50 characters. */
  accessKey: string
  /** What the QR code holds. */
  consultation: string
  issuer: { name: string; place: string }
  /** Above the page's sections, beside the QR code. */
  head: Cell[][]
  sections: FormSection[]
  /** In red, when the note was made in the authority's test environment. */
  notice?: string
  watermark?: string
  /** ISO 8601, of the authorization. */
  madeAt: string
}

/** Throws `Busy` when too many wait or one takes too long. */
export type Documents = {
  render(document: Sheet | Danfse): Promise<Uint8Array>
}
