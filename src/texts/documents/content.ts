// The words that documents have in common, and those of each kind.

export type DocumentTexts = {
  /** `{page}` and `{pages}` stay for the printer. */
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
    statuses: Record<'draft' | 'active' | 'suspended' | 'expired' | 'cancelled' | 'renewed', string>
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
    statuses: Record<
      'draft' | 'sent' | 'viewed' | 'accepted' | 'paid' | 'fulfilled' | 'expired' | 'rejected' | 'cancelled',
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
