// The sandbox payment provider's API where it answers as Stripe's does; adapters/stripe/contract.test.ts tests the rest.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pay, type PaymentSandbox, paymentSandbox, SECRET_KEY } from '#test/scenes/payment-sandbox.ts'

let world: PaymentSandbox
beforeEach(async () => void (world = await paymentSandbox()))
afterEach(() => world[Symbol.asyncDispose]())

const refusal = (fault: object) => ({ error: { message: expect.any(String), ...fault } })
const invoiceOf = (customer: string) => ({
  customer,
  currency: 'brl',
  collection_method: 'send_invoice',
  days_until_due: '7',
})

async function ask(path: string, fields: Record<string, string>, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${SECRET_KEY}`, ...more }
  const url = `${world.url}/sandbox/payments/br/v1/${path}`
  const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) })
  const body: { id: string } = JSON.parse(await response.text())
  return { status: response.status, body }
}

describe('the API', () => {
  it('answers a repeated idempotency key as the first time, and refuses it for another call', async () => {
    const key = { 'idempotency-key': 'one' }
    const first = await ask('customers', { name: 'Ação' }, key)
    expect(first).toMatchObject({ status: 200, body: { object: 'customer', livemode: false, name: 'Ação' } })
    await ask(`customers/${first.body.id}`, { name: 'Another' })
    expect(await ask('customers', { name: 'Ação' }, key)).toEqual(first)
    expect(await ask('customers', { name: 'Reação' }, key)).toEqual({
      status: 400,
      body: refusal({ type: 'idempotency_error' }),
    })
    expect((await ask('customers', { name: 'Ação' })).body.id).not.toBe(first.body.id)
  })
  it.each([
    ['401 for another key', 'customers', { authorization: 'Bearer sk_test_other' }, 401, {}],
    ['400 for another version', 'customers', { 'stripe-version': '2020-08-27' }, 400, {}],
    ['400 for what is no form', 'customers', { 'content-type': 'application/json' }, 400, {}],
    ['404 for a call that it does not know', 'charges', {}, 404, {}],
    ['404 for what there is not', 'invoices/in_1/finalize', {}, 404, { code: 'resource_missing' }],
    ['400 for what is missing', 'invoices', {}, 400, { code: 'parameter_missing' }],
  ])('%s', async (_what, path, headers, status, fault) => {
    const expected = { status, body: refusal({ type: 'invalid_request_error', ...fault }) }
    expect(await ask(path, { name: 'x' }, headers)).toEqual(expected)
  })
  it('has no page for a draft, and changes no finalized invoice', async () => {
    const { body: customer } = await ask('customers', {})
    const { body: draft } = await ask('invoices', invoiceOf(customer.id))
    expect(draft).toMatchObject({ status: 'draft', hosted_invoice_url: null, total: 0 })
    expect((await pay(`${world.url}/sandbox/pay/br/${draft.id}`, 'paid')).status).toBe(404)
    const line = { 'lines[0][description]': 'Training', 'lines[0][amount]': '150' }
    expect((await ask(`invoices/${draft.id}/add_lines`, line)).body).toMatchObject({ status: 'draft', total: 150 })
    expect((await ask(`invoices/${draft.id}/finalize`, {})).body).toMatchObject({ status: 'open', total: 150 })
    const late = await ask(`invoices/${draft.id}/add_lines`, line)
    const fault = { type: 'invalid_request_error', code: 'invoice_not_editable' }
    expect(late).toEqual({ status: 400, body: refusal(fault) })
  })
})
