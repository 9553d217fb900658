import { describe, expect, it } from 'vitest'
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { publishedInvoices } from '#modules/sales/invoices/published.ts'
import { createCatalogue } from './catalogue.ts'
import { publicEvent, vendorEvent } from './public-event.ts'
import type { StoredEvent } from './stored-event.ts'

const catalogue = createCatalogue([publishedInvoices])
const { paid, redrafted, voided } = invoicesTable.events

const stored = (type: string, data: object): StoredEvent => ({
  id: 7,
  organization_id: 3,
  sequence: 12,
  type,
  resource: 'invoice',
  resource_id: 42,
  at: '2026-11-20T14:42:55.123Z',
  linked_codes: [],
  data: { id: 42, status: 'paid', finalized_at: '2026-11-20T10:00:00.000Z', refund_reserved: '0.00', ...data },
})

describe('the customers’ form of an event', () => {
  it('has the fields that customers see, null where the stored event is older than a column', () => {
    const event = publicEvent(catalogue, stored(paid, { number: 'BR-000042' }))
    expect(event).toMatchObject({
      id: 7,
      sequence: 12,
      type: 'invoice.paid',
      timestamp: '2026-11-20T14:42:55.123Z',
      organization_id: 3,
      resource: 'invoice',
      resource_id: 42,
      thin: false,
      data: { id: 42, status: 'paid', number: 'BR-000042', purchase_order: null },
    })
    expect(event?.data).not.toHaveProperty('refund_reserved')
    expect(Object.keys(event?.data ?? {})).toEqual(Object.keys(publishedInvoices.schema.properties))
  })
  it('has the entitlement codes of the record, of its lines and of what it belongs to, each once', () => {
    const line_items = [{ entitlement_code: 'PLG-1' }, { entitlement_code: null }, { entitlement_code: 'ENV-1' }]
    const event = { ...stored(paid, { line_items }), linked_codes: ['PLG-1', 'SVC-1', null] }
    expect(publicEvent(catalogue, event)?.entitlement_codes).toEqual(['PLG-1', 'ENV-1', 'SVC-1'])
  })
  it('is null for a draft, for one that was voided, and for a type that is not published', () => {
    expect(publicEvent(catalogue, stored(paid, { status: 'draft', finalized_at: null }))).toBeNull()
    expect(publicEvent(catalogue, stored(voided, { status: 'void', finalized_at: null }))).toBeNull()
    expect(publicEvent(catalogue, stored(voided, { status: 'void' }))?.type).toBe('invoice.voided')
    expect(publicEvent(catalogue, stored(redrafted, {}))).toBeNull()
    expect(publicEvent(createCatalogue([]), stored(paid, {}))).toBeNull()
  })
  it('is thin above 20 kB, whatever the characters', () => {
    expect(publicEvent(catalogue, stored(paid, { notes: 'a'.repeat(18_000) }))).toMatchObject({ thin: false })
    for (const notes of ['a'.repeat(20_000), 'é'.repeat(10_000)])
      expect(publicEvent(catalogue, stored(paid, { notes }))).toMatchObject({
        type: 'invoice.paid',
        resource_id: 42,
        thin: true,
        data: null,
      })
  })
})

describe('the vendor’s form of an event', () => {
  it('has drafts, inner fields and every type', () => {
    const event = vendorEvent(stored(redrafted, { status: 'draft', finalized_at: null }))
    expect(event).toMatchObject({ type: 'invoice.redrafted', data: { status: 'draft', refund_reserved: '0.00' } })
  })
})
