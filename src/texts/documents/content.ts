// The words that all documents share, and those of each kind.

type InvoiceStatusName = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'

/** How the values of features read, whose keys are the vendor's (`max_users`). */
export type FeatureTexts = {
  most: (amount: string) => string
  least: (amount: string) => string
  /** `50 GB`, `storage` */
  of: (amount: string, what: string) => string
  without: (what: string) => string
  /** Usual words of keys; others are shown as they are. */
  words: Readonly<Record<string, string>>
}

export type DocumentTexts = {
  /** The renderer replaces `{page}` and `{pages}`. */
  pageOf: string
  customer: string
  status: string
  notes: string
  terms: string
  contract: {
    title: string
    number: (id: number) => string
    subject: string
    entitlement: string
    term: string
    from: (start: string, end: string | null) => string
    notice: string
    noticeFrom: (days: number, date: string) => string
    predecessor: string
    successor: string
    serviceLevel: string
    priority: string
    firstResponse: string
    resolution: string
    nothing: string
    businessHours: string
    timeZone: string
    holidays: string
    /** In place of a list: the holidays are those of the legal entity. */
    holidaysOfVendor: string
    days: Record<'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday', string>
    statuses: Record<'draft' | 'active' | 'suspended' | 'expired' | 'cancelled' | 'renewed', string>
    signatures: { heading: string; placeAndDate: string; seller: string; customer: string; fields: string[] }
    priorities: Record<'low' | 'normal' | 'high' | 'urgent', string>
  }
  quote: {
    title: string
    validUntil: string
    product: string
    quantity: string
    unitPrice: string
    total: string
    subtotal: string
    discount: string
    tax: string
    purchaseOrder: string
    version: string
    replaces: string
    replacedBy: string
    termMonths: (months: number) => string
    /** Of a line that the customer may leave out. */
    optional: string
    quantityBetween: (least: number, most: number) => string
    unitGives: (list: string) => string
    features: FeatureTexts
    options: string
    optionsLead: string
    /** What a person agrees to who accepts through a public link. */
    consent: (quote: { number: string; seller: string; customer: string }) => string
    intervals: Record<'month' | 'year', string>
    /** `applied`: when a limit made it another one. */
    adjusted: (of: {
      priceIndex: string
      from: string
      until: string
      accumulated: string
      applied: string | null
      before: string
    }) => string
    statuses: Record<
      'draft' | 'sent' | 'viewed' | 'accepted' | 'paid' | 'fulfilled' | 'expired' | 'rejected' | 'cancelled',
      string
    >
  }
  invoice: {
    title: string
    /** The line of an invoice without lines. */
    asAgreed: string
    lateCharges: (number: string, days: number) => string
    overdue: { status: string; mark: (since: string) => string; lateCharges: (day: string) => string }
    pay: {
      heading: string
      /** Beside the code of the page. */
      online: string
      /** Beside the Pix code; null: it does not end. */
      pix: (until: string | null) => string
      pixCode: string
      page: string
      boleto: string
      boletoUntil: string
      reference: string
    }
    issueDate: string
    dueDate: string
    paymentDate: string
    period: string
    /** A tax that the customer keeps back, with its rate. */
    withheld: (tax: string, percent: string) => string
    netTotal: string
    credited: string
    paid: string
    refunded: string
    due: string
    statuses: Record<InvoiceStatusName, string>
    /** The mark in the header; empty for none. */
    marks: Record<InvoiceStatusName, string>
  }
  creditNote: {
    title: string
    issueDate: string
    corrects: string
    invoiceTotal: string
    withheldTotal: string
    reason: string
    total: string
    ofInvoice: (number: string) => string
  }
  receipt: {
    title: string
    lead: (of: { seller: string; amount: string; payer: string; invoice: string | null }) => string
    amount: string
    paidOn: string
    invoice: string
    /** In place of the invoice. */
    inAdvance: string
    method: string
    /** By `payment_method`; others are shown as they are. */
    methods: Readonly<Record<string, string>>
    invoiceTotal: string
    /** Of the invoice, on the day that the receipt is made. */
    due: string
    creditBalance: string
    reference: string
    surplus: string
    /** The number of the receipt that was withdrawn. */
    inPlaceOf: string
    withdrawn: { mark: string; note: (day: string) => string }
  }
  /** Of an affiliate's account. */
  statement: {
    title: string
    affiliate: string
    period: string
    /** Each end may be open. */
    between: (from: string | null, to: string | null) => string
    opening: string
    closing: string
    date: string
    entry: string
    amount: string
    balance: string
    empty: string
    kinds: Record<'earned' | 'reversed' | 'paid_out', (id: number) => string>
    totals: Record<'earned' | 'reversed' | 'paid_out', string>
  }
  /** The statement of account; its other words are those of `statement`. */
  account: {
    title: string
    opening: string
    closing: string
    note: string
    kinds: Record<
      | 'invoice'
      | 'invoice_voided'
      | 'credit_note'
      | 'tax_withheld'
      | 'payment'
      | 'refund'
      | 'credit_added'
      | 'credit_withdrawn'
      | 'credit_refunded'
      | 'credit_refund_ended',
      string
    >
  }
  /** `90` → `1 h 30 min` */
  duration: (minutes: number) => string
}

export function durationIn(days: string): (minutes: number) => string {
  return (minutes) => {
    const parts: [number, string][] = [
      [Math.floor(minutes / 1440), days],
      [Math.floor(minutes / 60) % 24, 'h'],
      [minutes % 60, 'min'],
    ]
    return parts
      .filter(([amount]) => amount > 0)
      .map(([amount, unit]) => `${amount} ${unit}`)
      .join(' ')
  }
}

/** `1500` → `25 h`, for business hours: their days are shorter. */
export const durationInHours = (minutes: number): string =>
  [
    [Math.floor(minutes / 60), 'h'],
    [minutes % 60, 'min'],
  ]
    .filter(([amount]) => amount !== 0)
    .map((part) => part.join(' '))
    .join(' ')
