// Payouts of an affiliate's balance: requested, decided by staff, and never more than there is.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { affiliateIn, earned } from '#test/scenes/affiliates.ts'
import { deadLetters } from '#test/scenes/commerce.ts'

const app = await appOfFile()
const partner = await app.world.organization()
const acme = await app.world.organization()
const finances = await partner.member({ scopes: ['finances'] })

/** An account with a balance. */
async function withBalance(amount: string, more: object = {}) {
  const affiliate = await affiliateIn(partner, more)
  await earned(app, affiliate, amount)
  const at = `/affiliates/${affiliate.id}`
  const sums = async () => {
    const { balance, available, reserved, paid_out } = (await finances.get(at)).data
    return { balance, available, reserved, paid_out }
  }
  const request = (body: object = {}) => finances.post(`${at}/payouts`, body)
  const act = (id: number, name: string, body?: object) => partner.staff.post(`${at}/payouts/${id}/${name}`, body)
  return { affiliate, at, sums, request, act }
}

describe('POST /affiliates/{id}/payouts', () => {
  it('201 of a part, then of all that is left; the amount is reserved', async () => {
    const { affiliate, at, sums, request } = await withBalance('100.00')
    const answer = await request({ amount: '30' })
    const fresh = { reference: null, rejection_reason: null, paid_at: null, requested_by: finances.userId }
    expect([answer.status, answer.data]).toEqual([
      201,
      { ...answer.data, ...fresh, affiliate_id: affiliate.id, amount: '30.00', currency: 'BRL', status: 'requested' },
    ])
    expect(await sums()).toEqual({ balance: '100.00', available: '70.00', reserved: '30.00', paid_out: '0.00' })
    expect((await request()).data.amount).toBe('70.00')
    expect((await finances.get(`${at}/payouts`)).meta?.total).toBe(2)
    expect((await finances.get(`${at}/payouts?status=paid`)).data).toEqual([])
    expect((await finances.get(`${at}/payouts/${answer.data.id}`)).data).toEqual(answer.data)
  })
  it('422 for more than is available, nothing, or what is no amount of the currency', async () => {
    const { request, sums } = await withBalance('1000', { currency: 'JPY' })
    for (const amount of ['1001', '0', '-1', '10.00', '1e2', 10, null, ''])
      expect((await request({ amount })).errors?.fields, String(amount)).toHaveProperty('amount')
    for (const [amount, code] of [
      ['1001', 'too_large'],
      ['0', 'too_small'],
    ])
      expect((await request({ amount })).errors?.field_codes).toEqual({ amount: code })
    expect((await sums()).reserved).toBe('0')
    expect((await request({ amount: '1000' })).status).toBe(201)
    const { status, errors } = await request()
    expect([status, errors?.fields]).toEqual([422, { amount: 'must be at most 0, which is available' }])
  })
  it('201 for as many of 32 at once as the balance covers', async () => {
    const { request, sums } = await withBalance('100.00')
    const answers = await Promise.all(Array.from({ length: 32 }, () => request({ amount: '30.00' })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(3)
    expect(new Set(statuses)).toEqual(new Set([201, 422]))
    expect(await sums()).toMatchObject({ available: '10.00', reserved: '90.00' })
  })
  it('403 without the scope, 404 in another organization', async () => {
    const { at } = await withBalance('10.00')
    const other = await partner.member({ scopes: ['quotes', 'orders'] })
    expect((await other.post(`${at}/payouts`, {})).status).toBe(403)
    expect((await acme.owner.post(`${at}/payouts`, {})).status).toBe(404)
  })
})

describe('a payout', () => {
  it('is approved and paid with a reference, once, and announced', async () => {
    const { at, sums, request, act } = await withBalance('100.00')
    const { id } = (await request({ amount: '60.00' })).data
    const paid = { reference: 'PIX-1', paid_at: '2026-01-05T12:00:00.000Z' }
    expect((await act(id, 'pay', paid)).status).toBe(409)
    expect((await act(id, 'approve')).data.status).toBe('approved')
    expect((await act(id, 'approve')).status).toBe(409)
    expect((await finances.post(`${at}/payouts/${id}/cancel`)).status).toBe(409)
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(id, 'pay', paid)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array(7).fill(409),
    ])
    expect((await finances.get(`${at}/payouts/${id}`)).data).toMatchObject({ status: 'paid', ...paid })
    expect(await sums()).toEqual({ balance: '40.00', available: '40.00', reserved: '0.00', paid_out: '60.00' })
    for (const name of ['reject', 'cancel'] as const)
      expect((await act(id, name, name === 'reject' ? { reason: 'late' } : undefined)).status).toBe(409)
    const [mail] = await mailsTo(app, finances.email)
    expect(mail?.subject).toMatch(/AFL-.*60[.,]00$/)
    expect(mail?.text).toContain('PIX-1')
  })
  it('that is rejected or cancelled is available again; the reason is mailed', async () => {
    const { at, sums, request, act } = await withBalance('100.00')
    const first = (await request({ amount: '60.00' })).data.id
    const second = (await request({ amount: '40.00' })).data.id
    expect((await act(first, 'reject', {})).status).toBe(422)
    await act(first, 'approve')
    const { data } = await act(first, 'reject', { reason: 'The invoice is missing' })
    expect(data).toMatchObject({ status: 'rejected', rejection_reason: 'The invoice is missing' })
    expect((await finances.post(`${at}/payouts/${second}/cancel`)).data.status).toBe('cancelled')
    expect(await sums()).toEqual({ balance: '100.00', available: '100.00', reserved: '0.00', paid_out: '0.00' })
    const [mail] = await mailsTo(app, finances.email)
    expect(mail?.text).toContain('The invoice is missing')
    expect(await deadLetters(app)).toEqual([])
  })
  it('422 for a payment in the future or without a reference', async () => {
    const { request, act } = await withBalance('10.00')
    const { id } = (await request()).data
    await act(id, 'approve')
    const { errors } = await act(id, 'pay', { paid_at: '2999-01-01T00:00:00.000Z' })
    expect(Object.keys(errors?.fields ?? {}).toSorted()).toEqual(['paid_at', 'reference'])
    expect((await act(id, 'pay', { reference: ' ' })).status).toBe(422)
  })
  it('is decided by staff only, and found below its own account only', async () => {
    const { at, request } = await withBalance('10.00')
    const { id } = (await request()).data
    for (const [name, body] of [
      ['approve', undefined],
      ['pay', { reference: 'x' }],
      ['reject', { reason: 'x' }],
    ] as const) {
      expect((await partner.owner.post(`${at}/payouts/${id}/${name}`, body)).status, name).toBe(403)
      expect((await acme.staff.post(`${at}/payouts/${id}/${name}`, body)).status, name).toBe(404)
    }
    const another = await affiliateIn(partner)
    expect((await finances.get(`/affiliates/${another.id}/payouts/${id}`)).status).toBe(404)
    expect((await partner.staff.post(`/affiliates/${another.id}/payouts/${id}/approve`)).status).toBe(404)
    expect((await finances.post(`/affiliates/${another.id}/payouts/${id}/cancel`)).status).toBe(404)
  })
})

describe('GET /admin/affiliates/payouts', () => {
  it('200 lists those of all organizations, for administrators', async () => {
    const { affiliate, request } = await withBalance('10.00')
    const { data } = await request()
    const administrator = await app.world.user({ roles: ['customer', 'administrator'] })
    const listed = await administrator.get(`/admin/affiliates/payouts?status=requested&organization_id=${partner.id}`)
    expect(listed.data[0]).toEqual({ ...data, organization_name: partner.name, affiliate_code: affiliate.code })
    expect((await partner.owner.get('/admin/affiliates/payouts')).status).toBe(403)
  })
})
