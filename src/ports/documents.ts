// Documents to render: their content, already in the recipient's language. Layout and fonts are the adapter's.

export type Fact = { label: string; value: string }

/** `share` is the column's part of the width; the shares of a table add up to 1. */
export type Column = { label: string; share: number; align: 'left' | 'right' }

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'facts'; facts: Fact[] }
  | { kind: 'table'; columns: Column[]; rows: string[][]; totals: Fact[] }
  /** A QR code with its caption and facts beside it. */
  | { kind: 'qr'; content: string; caption: string; facts?: Fact[] }
  /** A line for place and date, and one for each party to sign on, together on one page. */
  | { kind: 'signatures'; placeAndDate: string; parties: Signature[] }

/** `fields`: what else is written by hand, such as the name of who signs. */
export type Signature = { name: string; role: string; fields: string[] }

/** The content of a document. All values are plain text: there is no markup. */
export type DocumentTemplate = {
  language: 'pt-BR' | 'en'
  title: string
  /** The number or code of the record. */
  reference: string
  /** ISO 8601, of the record's last change, so that the same record gives the same bytes. */
  madeAt: string
  /** The legal entity that issues it. */
  letterhead: { name: string; lines: string[] }
  /** Its color, `#rrggbb`, which can be read on white, and its logo, a PNG; without it, black and the name. */
  brand?: { color: string; logo: Uint8Array | null }
  recipient: { label: string; lines: string[] }
  blocks: Block[]
  /** Across each page, such as `CANCELLED`. */
  watermark?: string
  /** In red above the recipient. */
  notice?: string
  /** `Page {page} of {pages}` */
  pageOf: string
}

/**
 * A cell of a fiscal form that spans some of its four columns; cells that `grow` share the space that the page has
 * left.
 */
export type Cell = Fact & { span: 1 | 2 | 3 | 4; grows?: boolean }

/** A section without rows is its title line only. */
export type FormSection = { title: string; rows: Cell[][] }

/**
 * The auxiliary document of a Brazilian tax invoice (DANFSe) on its one page: what the authorized XML says, with the
 * labels of the national layout. It is always in Portuguese.
 */
export type Danfse = {
  kind: 'danfse'
  /** 50 characters. */
  accessKey: string
  /** The content of the QR code. */
  consultation: string
  issuer: { name: string; place: string }
  /** The rows above the sections, beside the QR code. */
  head: Cell[][]
  sections: FormSection[]
  /** In red, when the note was made in the authority's test environment. */
  notice?: string
  watermark?: string
  /** ISO 8601, of the authorization. */
  madeAt: string
}

/** `render` throws `Busy` when too many documents wait or one takes too long. */
export type Documents = {
  render(document: DocumentTemplate | Danfse): Promise<Uint8Array>
}
