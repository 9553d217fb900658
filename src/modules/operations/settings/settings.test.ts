// The settings of the legal entities: what is in force, who changes what, and what is kept of it.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { firstSettingsOf } from '#ports/company-settings.ts'
import { SETTINGS_OF } from '#ports/setting-declaration.ts'
import { readConfig } from '#config/config.ts'
import { appOfFile, startApp } from '#test/harness/app.ts'
import { NO_SYSTEMS } from '#test/harness/other-systems.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import type { Speaker } from '#test/harness/world.ts'

const environment = {
  COMMISSION_DAYS: '45',
  SATISFACTION: 'entity_global',
  REFUNDS: 'approve',
  ENTITY_BR_PAYMENTS: 'offline',
}
const app = await appOfFile({ environment })
const acme = await app.world.organization()
const { staff } = acme
const finance = await acme.staffAs('finance')
const support = await acme.staffAs('support')

const change = (settings: unknown, by: Speaker = staff, of = 'entity_br', headers: Record<string, string> = {}) =>
  by.patch(`/admin/settings/${of}`, settings, headers)
const found = async (of = 'entity_br', by: Speaker = staff) => (await by.get(`/admin/settings/${of}`)).data
const history = async (of = 'entity_br') => (await staff.get(`/admin/settings/${of}/history?per_page=100`)).data

describe('GET /admin/settings/{company}', () => {
  it('200 with what the environment says, to every role of staff', async () => {
    const first = firstSettingsOf(readConfig({ SANDBOX: '1', ...NO_SYSTEMS, ...environment }))
    for (const role of ['finance', 'support', 'auditor'] as const) {
      const by = await acme.staffAs(role)
      for (const of of SETTINGS_OF) {
        const answer = await by.get(`/admin/settings/${of}`)
        expect(answer.status).toBe(200)
        expect(answer.data).toMatchObject({ company: of, changed: [] })
        expect(answer.data.settings).toEqual(first[of])
      }
    }
  })
  it('403 for customers, 401 without credentials, 404 for no legal entity', async () => {
    expect((await acme.owner.get('/admin/settings/entity_br')).status).toBe(403)
    expect((await app.world.anonymous.get('/admin/settings/entity_br')).status).toBe(401)
    expect((await staff.get('/admin/settings/entity_mars')).status).toBe(404)
  })
})

describe('PATCH /admin/settings/{company}', () => {
  it('200: the given ones, of this legal entity only, and as the environment says again with null', async () => {
    const answer = await change({ renewal_invoice_days: 21, satisfaction: true })
    expect(answer).toMatchObject({ status: 200, message: 'Settings updated' })
    const { settings, changed } = answer.data
    expect(settings).toMatchObject({ renewal_invoice_days: 21, satisfaction: true, commission_days: 45 })
    const by = {
      changed_at: app.clock.now.toISOString(),
      changed_by: staff.userId,
      changed_by_name: expect.any(String),
    }
    expect(changed).toEqual([
      { setting: 'renewal_invoice_days', ...by },
      { setting: 'satisfaction', ...by },
    ])
    expect(await found()).toEqual(answer.data)
    expect((await found('entity_global')).settings).toMatchObject({ renewal_invoice_days: 14, satisfaction: true })
    await change({ satisfaction: null })
    const { settings: after, changed: left } = await found()
    expect(after).toMatchObject({ renewal_invoice_days: 21, satisfaction: false })
    expect(left).toEqual([{ setting: 'renewal_invoice_days', ...by }])
  })
  it('wins over the environment of a process that starts later', async () => {
    await change({ commission_days: 5 })
    const later = await startApp({ beside: app, environment: { COMMISSION_DAYS: '60', RENEWAL_QUOTE_DAYS: '9' } })
    try {
      const by = await later.world.user({ roles: ['customer', 'administrator'] })
      expect((await by.get('/admin/settings/entity_br')).data.settings).toMatchObject({
        commission_days: 5,
        renewal_quote_days: 9,
      })
    } finally {
      await later.close()
    }
  })
  it('200 for finance with what money needs; 403 with what binds staff, and then nothing changes', async () => {
    expect((await change({ renewal_quote_days: 33 }, finance)).status).toBe(200)
    for (const settings of [
      { refunds: 'automatic' },
      { pix_key: 'pix@thief.example', pix_city: 'Natal' },
      { renewal_quote_days: 12, refunds: 'automatic' },
    ])
      expect(await change(settings, finance)).toMatchObject({
        status: 403,
        message: 'Scope not authorized: settings:write',
        errors: { reason: 'scope_missing' },
      })
    for (const settings of [{ staff_entry: 'open' }, { reasons: 'optional' }, { fiscal_years: 5 }])
      expect((await change(settings, finance, 'vendor')).status).toBe(403)
    expect((await change({ renewal_quote_days: 1 }, support)).message).toBe('Scope not authorized: finances:write')
    expect((await change({ renewal_quote_days: 1 }, await acme.staffAs('auditor'))).status).toBe(403)
    expect((await change({ renewal_quote_days: 1 }, acme.owner)).status).toBe(403)
    expect((await change({}, app.world.anonymous)).status).toBe(401)
    expect((await found()).settings).toMatchObject({ renewal_quote_days: 33 })
  })
  it.each([
    ['entity_br', { renewal_invoice_days: 61 }, ['renewal_invoice_days']],
    ['entity_br', { renewal_invoice_days: '7', commission_days: -1 }, ['commission_days', 'renewal_invoice_days']],
    ['entity_br', { refunds: 'never' }, ['refunds']],
    ['entity_br', { tax_issue_rule: 'days_before_due:91' }, ['tax_issue_rule']],
    ['entity_global', { tax_issue_rule: 'on_payment' }, ['tax_issue_rule']],
    ['entity_global', { fiscal_profiles: [] }, ['fiscal_profiles']],
    ['entity_br', { fiscal_profiles: [{ ...PROFILE, layout: '1.02' }] }, ['fiscal_profiles.0.layout']],
    ['entity_br', { fiscal_profiles: [{ ...PROFILE, municipality: 3550308 }] }, ['fiscal_profiles.0.municipality']],
    [
      'entity_br',
      { fiscal_profiles: [PROFILE, { ...PROFILE, simples: '3' }] },
      ['simples_burden', 'simples_regime', 'tax_burden', 'valid_from'].map((field) => `fiscal_profiles.1.${field}`),
    ],
    ['entity_br', { fiscal_profiles: [{ ...PROFILE, services: {} }] }, ['fiscal_profiles.0.services']],
    ['entity_br', { fiscal_profiles: { constructor: PROFILE } }, ['fiscal_profiles']],
    ['entity_br', { staff_entry: 'reason', commission_days: 7 }, ['staff_entry']],
    ['entity_br', { pix_key: '11 99999-0000', pix_city: 'Natal' }, ['pix_key']],
    ['entity_br', { pix_key: 'pix@titular.example' }, ['pix_city']],
    ['entity_br', { pix_key: 'pix@titular.example', pix_city: ' ' }, ['pix_city']],
    ['entity_br', { pix_city: 'Na\ntal' }, ['pix_city']],
    ['entity_global', { pix_key: 'pix@titular.example', pix_city: 'Natal' }, ['pix_city', 'pix_key']],
    ['entity_br', { payment_methods: [] }, ['payment_methods']],
    ['entity_br', { payment_methods: ['card', 'card'] }, ['payment_methods']],
    ['entity_br', { payment_methods: ['card', 'Pix'] }, ['payment_methods.1']],
    ['entity_br', { payment_methods: 'card' }, ['payment_methods']],
    ['entity_global', { payment_methods: ['card', 'pix'] }, ['payment_methods']],
    ['entity_global', { payment_methods: ['boleto'], pix_city: 'Natal' }, ['payment_methods', 'pix_city']],
    ['vendor', { payment_methods: ['card'] }, ['payment_methods']],
    ['vendor', { expiry_warning_days: [0] }, ['expiry_warning_days.0']],
    ['vendor', { expiry_warning_days: [7, 7] }, ['expiry_warning_days']],
    ['vendor', { expiry_warning_days: Array.from({ length: 13 }, (_, at) => at + 1) }, ['expiry_warning_days']],
    ['vendor', { ticket_classes: [] }, ['ticket_classes']],
    ['vendor', { ticket_classes: ['PLG', '💥'] }, ['ticket_classes.1']],
    ['vendor', { sla_warning_percent: 0 }, ['sla_warning_percent']],
    [
      'vendor',
      { events_days: 0, notices_days: 3651, webhook_delivery_days: 0 },
      ['events_days', 'notices_days', 'webhook_delivery_days'],
    ],
    [
      'vendor',
      { inbound_event_days: 29, dead_letter_days: 1, import_rows_days: 29 },
      ['dead_letter_days', 'import_rows_days', 'inbound_event_days'],
    ],
    ['vendor', { inbound_event_days: 36_501 }, ['inbound_event_days']],
    ['vendor', { privacy_export_days: 91, erasure_days: 31 }, ['erasure_days', 'privacy_export_days']],
    ['vendor', { fiscal_years: 4, erasure_days: -1 }, ['erasure_days', 'fiscal_years']],
    ['entity_br', { fiscal_years: 6 }, ['fiscal_years']],
    ['vendor', { support_email: 'desk', new_device_mails: 'some' }, ['new_device_mails', 'support_email']],
    ['vendor', { license_file_days: 0, staff_entry_minutes: 1441 }, ['license_file_days', 'staff_entry_minutes']],
    ['vendor', { download_link_minutes: 0, files_quota_bytes: 0 }, ['download_link_minutes', 'files_quota_bytes']],
    ['vendor', { files_quota_count: 10_000_001 }, ['files_quota_count']],
    ['entity_br', { deal_pipeline: 'two words' }, ['deal_pipeline']],
    ['entity_br', { deal_stages: [{ label: 'draft', value: 'x' }] }, ['deal_stages.0.label']],
    ['entity_br', { deal_stages: ['a', 'b'].map((value) => ({ label: 'sent', value })) }, ['deal_stages']],
    ['vendor', { issue_statuses: [{ label: 'opened', value: 'To Do' }] }, ['issue_statuses.0.label']],
    ['vendor', { issue_public_prefix: 'for all' }, ['issue_public_prefix']],
    ['vendor', { constructor: 1, nonsense: 1 }, ['constructor', 'nonsense']],
    ['vendor', [], ['body']],
  ])('422 at %s for %j, with the fields, and nothing changes', async (of, settings, fields) => {
    const before = await found(of)
    const answer = await change(settings, staff, of)
    expect(answer.status, answer.raw.body).toBe(422)
    expect(Object.keys(answer.errors?.fields ?? {}).toSorted()).toEqual(fields)
    expect(await found(of)).toEqual(before)
  })
  it('says in Portuguese whose setting it is', async () => {
    const answer = await change({ staff_entry: 'open' }, staff, 'entity_br', { 'accept-language': 'pt-BR' })
    expect(answer.errors?.fields).toEqual({ staff_entry: 'é uma configuração de vendor' })
  })
  it('200 for a Pix key with its city; 422 for a key whose city goes; 200 when both go', async () => {
    const key = { pix_key: 'pix@titular.example' }
    expect((await change({ ...key, pix_city: 'São Luís' })).status).toBe(200)
    for (const pix_city of ['', null])
      expect((await change({ pix_city })).errors?.fields).toEqual({ pix_city: 'is required with pix_key' })
    const answer = await change({ pix_key: 'Pix' }, staff, 'entity_br', { 'accept-language': 'pt-BR' })
    expect(answer.errors?.fields).toEqual({ pix_key: expect.stringContaining('deve ser uma chave Pix') })
    expect((await change({ pix_key: '', pix_city: '' })).status).toBe(200)
    const [last] = (await history()).slice(-1)
    expect(last).toMatchObject({ setting: 'pix_city', from_value: 'São Luís', to_value: '' })
    await change({ pix_key: null, pix_city: null })
  })
  it('200 for ways to pay by finance, in the order that was given, with an entry of the history', async () => {
    const methods = ['sepa_debit', 'card']
    const answer = await change({ payment_methods: methods }, finance, 'entity_global')
    expect(answer.data.settings.payment_methods, answer.raw.body).toEqual(methods)
    const [last] = (await history('entity_global')).slice(-1)
    expect(last).toMatchObject({ setting: 'payment_methods', from_value: null, to_value: methods })
    const refused = await change({ payment_methods: ['pix'] }, finance, 'entity_global', { 'accept-language': 'pt-BR' })
    expect(refused.errors?.fields).toEqual({ payment_methods: 'tem pix, que é só de entity_br' })
    await change({ payment_methods: null }, finance, 'entity_global')
  })
  it('412 when somebody else was first, 200 with the tag of what is there', async () => {
    const { etag = '' } = (await staff.get('/admin/settings/entity_br')).headers
    await change({ renewal_invoice_days: 30 })
    expect((await change({ renewal_invoice_days: 31 }, staff, 'entity_br', { 'if-match': etag })).status).toBe(412)
    const now = (await staff.get('/admin/settings/entity_br')).headers.etag ?? ''
    expect((await change({ renewal_invoice_days: 31 }, staff, 'entity_br', { 'if-match': now })).status).toBe(200)
  })
  it('200 for twenty at once, in one order, with an entry each', async () => {
    const before = (await history('entity_global')).length
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => change({ commission_days: 100 + at }, staff, 'entity_global')),
    )
    const entries = (await history('entity_global')).slice(before)
    expect(entries).toHaveLength(20)
    for (const [at, entry] of entries.entries())
      expect(entry.from_value).toEqual(at === 0 ? null : entries[at - 1].to_value)
    expect((await found('entity_global')).settings.commission_days).toBe(entries.at(-1).to_value)
  })
  it('leaves what changed in the audit log and nothing for what is as it was', async () => {
    await change({ refunds: 'approve', renewal_quote_days: 50 }, staff, 'entity_global', {
      'x-reason': encodeURIComponent('Política “nova” 🚀'),
    })
    const logged = async () =>
      (await staff.get('/admin/audit-log?log=service&resource=company_settings&per_page=100')).data
    const [entry, ...others] = await logged()
    expect(entry).toMatchObject({ action: 'updated', actor_id: staff.userId })
    expect(entry.changes.after).toEqual({
      company: 'entity_global',
      before: { refunds: null, renewal_quote_days: null },
      after: { refunds: 'approve', renewal_quote_days: 50 },
    })
    await change({ refunds: 'approve' }, staff, 'entity_global')
    await change({}, staff, 'entity_global')
    expect(await logged()).toHaveLength(others.length + 1)
  })
})

describe('GET /admin/settings/{company}/history', () => {
  it('200: who changed what when and why, the oldest first', async () => {
    const reason = { 'x-reason': encodeURIComponent('Menos "avisos"') }
    await change({ expiry_warning_days: [14] }, staff, 'vendor', reason)
    await change({ expiry_warning_days: null }, staff, 'vendor')
    const mine = (await history('vendor')).slice(-2)
    const who = { id: expect.any(Number), setting: 'expiry_warning_days', changed_by: staff.userId }
    const when = { changed_at: app.clock.now.toISOString(), changed_by_name: expect.any(String) }
    expect(mine).toEqual([
      { ...who, ...when, from_value: null, to_value: [14], note: 'Menos "avisos"' },
      { ...who, ...when, from_value: [14], to_value: null, note: null },
    ])
  })
  it('403 for customers, 401 without credentials, 404 for no legal entity', async () => {
    expect((await acme.owner.get('/admin/settings/vendor/history')).status).toBe(403)
    expect((await app.world.anonymous.get('/admin/settings/vendor/history')).status).toBe(401)
    expect((await staff.get('/admin/settings/entity_mars/history')).status).toBe(404)
  })
})

describe('what has begun when a setting changes', () => {
  it('shows what it showed once it is archived; what is made later, and what is open, shows the new name', async () => {
    const org = await app.world.organization()
    const invoice = async () => {
      const body = { currency: 'BRL', company: 'entity_br', total: '50.00', status: 'open' }
      return (await org.staff.post('/invoices', body)).data.id
    }
    const sha = async (id: number) =>
      createHash('sha256')
        .update((await org.owner.get(`/invoices/${id}/pdf`)).raw.rawPayload)
        .digest('hex')
    const paid = await invoice()
    await org.staff.post(`/invoices/${paid}/pay`, {})
    await app.service.worker.drain()
    // Archiving is delayed.
    app.clock.advance(6)
    await app.service.worker.drain()
    const before = await sha(paid)
    const url = async (id: number) =>
      new URL((await org.owner.get(`/invoices/${id}/payment-options`)).data.url).pathname
    const open = await invoice()
    const seller = async () => (await org.owner.get(`/public${await url(open)}`)).data.seller
    expect(await seller()).toBe('Titular Brazil')
    await change({ name: 'Nova Razão “Social” Ltda 🚀' })
    expect(await sha(paid)).toBe(before)
    expect(await seller()).toBe('Nova Razão “Social” Ltda 🚀')
    await change({ name: null })
  })
  it('goes on by the old one: a refund that waits for the approval, and one that was sent', async () => {
    const org = await app.world.organization()
    const { id } = (
      await org.staff.post('/invoices', {
        currency: 'BRL',
        company: 'entity_br',
        total: '50.00',
        status: 'open',
      })
    ).data
    await org.staff.post(`/invoices/${id}/pay`, {})
    const ask = async () => (await org.staff.post(`/invoices/${id}/refund`, { amount: '10' })).data.refund_id
    const waiting = await ask()
    await org.staff.patch('/admin/settings/entity_br', { refunds: 'automatic' })
    const sent = await ask()
    await app.service.worker.drain()
    const approved = async (one: number) => (await org.staff.get(`/refunds/${one}`)).data.is_approved
    expect([await approved(waiting), await approved(sent)]).toEqual([false, true])
    expect((await org.staff.post(`/refunds/${waiting}/approve`)).status).toBe(200)
    await org.staff.patch('/admin/settings/entity_br', { refunds: 'approve' })
    expect([await approved(waiting), await approved(sent)]).toEqual([true, true])
  })
})
