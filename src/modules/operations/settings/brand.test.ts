// The brand of a legal entity: who sets its logo, what everybody may read of it, and where it is seen.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { multipart } from '#test/harness/multipart.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import type { Speaker } from '#test/harness/world.ts'
import { PNG, SVG } from '#test/scenes/brand.ts'

const app = await appOfFile({
  environment: { ENTITY_BR_PAYMENTS: 'offline', SUPPORT_URL: 'https://help.vendor.example' },
})
const acme = await app.world.organization()
const { staff } = acme
const { anonymous } = app.world

type LogoChange = { from_value: unknown; to_value: unknown }
const put = (content: Buffer | string, by: Speaker = staff, of = 'entity_br', more: Record<string, string> = {}) => {
  const { body, headers } = multipart({ content })
  return by.put(`/admin/settings/${of}/logo`, body, { ...headers, ...more })
}
const remove = (by: Speaker = staff, of = 'entity_br') => by.delete(`/admin/settings/${of}/logo`)
const settings = async (of = 'entity_br') => (await staff.get(`/admin/settings/${of}`)).data
const brand = async (of = 'entity_br') => (await anonymous.get(`/brand?company=${of}`)).data
const history = async (of = 'entity_br') => (await staff.get(`/admin/settings/${of}/history?per_page=100`)).data
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const kept = (content: Buffer | string, content_type: string) => ({
  content_type,
  size: Buffer.byteLength(content),
  sha256: sha256(content),
})

describe('PUT /admin/settings/{company}/logo', () => {
  it('200 with what is kept of it, of this legal entity only', async () => {
    const answer = await put(PNG)
    expect(answer).toMatchObject({ status: 200, message: 'Settings updated' })
    expect(answer.data.logo).toEqual(kept(PNG, 'image/png'))
    expect(await settings()).toEqual(answer.data)
    expect((await settings('entity_global')).logo).toBeNull()
    expect((await put(SVG)).data.logo).toEqual(kept(SVG, 'image/svg+xml'))
  })
  it('adds to history and audit log what it was, and nothing when it is as it was', async () => {
    await remove(staff, 'entity_global')
    const before = (await history('entity_global')).length
    await put(PNG, staff, 'entity_global', { 'x-reason': encodeURIComponent('Nova “marca”') })
    await put(PNG, staff, 'entity_global')
    await put(SVG, staff, 'entity_global')
    const entries = (await history('entity_global')).slice(before)
    const who = { setting: 'logo', changed_by: staff.userId }
    const [png, svg] = [kept(PNG, 'image/png'), kept(SVG, 'image/svg+xml')]
    expect(entries).toMatchObject([
      { ...who, from_value: null, to_value: png, note: 'Nova “marca”' },
      { ...who, from_value: png, to_value: svg },
    ])
    const [entry] = (await staff.get('/admin/audit-log?log=service&resource=company_settings')).data
    expect(entry).toMatchObject({ action: 'updated', actor_id: staff.userId })
    expect(entry.changes.after).toEqual({ company: 'entity_global', before: { logo: png }, after: { logo: svg } })
  })
  it.each([
    ['text', 'hello', 'must be a PNG or an SVG in UTF-8'],
    ['nothing', '', 'must be a PNG or an SVG in UTF-8'],
    ['a GIF', Buffer.from('R0lGODlhAQABAAAAACw=', 'base64'), 'must be a PNG or an SVG in UTF-8'],
    ['an SVG in UTF-16', Buffer.from(SVG, 'utf16le'), 'must be a PNG or an SVG in UTF-8'],
    ['half a PNG', PNG.subarray(0, 40), 'is a damaged image'],
    ['a script', SVG.replace('<title>', '<script/><title>'), 'has the element script, which a logo must not have'],
  ])('422 for %s, naming the field, and nothing changes', async (_name, content, problem) => {
    const before = await settings()
    const answer = await put(content)
    expect([answer.status, answer.errors?.fields]).toEqual([422, { file: problem }])
    expect(await settings()).toEqual(before)
  })
  it('422 in Portuguese, 422 without a file and with another field', async () => {
    const { errors } = await put(SVG.replace('<rect', '<rect onclick="x"'), staff, 'entity_br', {
      'accept-language': 'pt-BR',
    })
    expect(errors?.fields).toEqual({ file: 'tem o atributo onclick, o que um logotipo não pode ter' })
    for (const [file, fields, wrong] of [
      [null, {}, 'file'],
      [{ content: PNG }, { name: 'x' }, 'name'],
    ] as const) {
      const { body, headers } = multipart(file, fields)
      const answer = await staff.put('/admin/settings/entity_br/logo', body, headers)
      expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, [wrong]])
    }
  })
  it('413 beyond 200 KiB, 415 for JSON', async () => {
    const comment = `<!--${'x'.repeat(200 * 1024)}-->`
    expect((await put(SVG.replace('<title>', `${comment}<title>`))).status).toBe(413)
    expect((await staff.put('/admin/settings/entity_br/logo', {})).status).toBe(415)
  })
  it('403 without the scope settings, 401 without credentials, 404 for what has no brand', async () => {
    for (const role of ['finance', 'support', 'auditor'] as const) {
      const by = await acme.staffAs(role)
      const refused = await put(PNG, by)
      expect([refused.status, refused.message]).toEqual([
        403,
        expect.stringContaining('Scope not authorized: settings:write'),
      ])
      expect((await remove(by)).status).toBe(403)
    }
    expect((await put(PNG, acme.owner)).status).toBe(403)
    expect((await put(PNG, anonymous)).status).toBe(401)
    for (const of of ['vendor', 'entity_mars']) expect((await put(PNG, staff, of)).status).toBe(404)
  })
  it('200 for ten at once, in one order, with an entry for each change', async () => {
    const before = (await history()).length
    const images = Array.from({ length: 10 }, (_, at) => SVG.replace('Acme', `Acme ${at}`))
    expect((await Promise.all(images.map((one) => put(one)))).map(({ status }) => status)).toEqual(
      images.map(() => 200),
    )
    const entries = (await history()).slice(before)
    expect(entries).toHaveLength(10)
    expect(entries.slice(1).map((entry: LogoChange) => entry.from_value)).toEqual(
      entries.slice(0, -1).map((entry: LogoChange) => entry.to_value),
    )
    expect((await settings()).logo).toEqual(entries.at(-1).to_value)
  })
})

describe('DELETE /admin/settings/{company}/logo', () => {
  it('200, and again, with one entry', async () => {
    await put(PNG)
    const before = (await history()).length
    for (let time = 0; time < 2; time++) expect((await remove()).data.logo).toBeNull()
    expect((await history()).slice(before)).toMatchObject([{ setting: 'logo', to_value: null }])
    expect((await brand()).logo_url).toBeNull()
  })
  it('401 without credentials, 403 for customers, 404 for what has no brand', async () => {
    expect((await remove(anonymous)).status).toBe(401)
    expect((await remove(acme.owner)).status).toBe(403)
    expect((await remove(staff, 'vendor')).status).toBe(404)
  })
})

describe('GET /brand', () => {
  it('200 to everybody, with what is known and null for what is not', async () => {
    await remove(staff, 'entity_global')
    await staff.patch('/admin/settings/entity_global', {
      brand_color: '#FFEE00',
      brand_name: 'Açaí 🥖',
      support_url: '',
    })
    expect(await brand('entity_global')).toEqual({
      company: 'entity_global',
      name: 'Açaí 🥖',
      color: '#ffee00',
      color_text: '#000000',
      color_on_light: '#7a7200',
      color_on_dark: '#ffee00',
      logo_url: null,
      support_url: null,
    })
    await put(SVG)
    expect((await anonymous.get('/brand')).data).toMatchObject({
      company: 'entity_br',
      logo_url: expect.stringMatching(/^https?:\/\/.+\/api\/v1\/brand\/logo\?company=entity_br$/),
      support_url: 'https://help.vendor.example',
    })
  })
  it.each([
    'https://bank.example@evil.example',
    'https://evil.example/\u202egro.rodnev',
    'javascript:alert(1)',
    'https://evil.example"onload',
    'mailto:help',
  ])('422 for a support link that looks like another one: %s', async (support_url) => {
    const { status, errors } = await staff.patch('/admin/settings/entity_br', { support_url })
    expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['support_url']])
  })
  it.each(['https://help.vendor.example/de/a?b=c#d', 'mailto:help@vendor.example?subject=Hi'])(
    '200 for the support link %s',
    async (support_url) => {
      const { data } = await staff.patch('/admin/settings/entity_br', { support_url })
      expect(data.settings.support_url).toBe(support_url)
      await staff.patch('/admin/settings/entity_br', { support_url: 'https://help.vendor.example' })
    },
  )
  it('304 for who has it already, and what caches may keep', async () => {
    const { headers } = await anonymous.get('/brand')
    expect(headers['cache-control']).toBe('public, max-age=300')
    const again = await anonymous.get('/brand', { 'if-none-match': headers.etag ?? '' })
    expect([again.raw.statusCode, again.raw.body]).toEqual([304, ''])
    await staff.patch('/admin/settings/entity_br', { brand_color: '#0f766e' })
    expect((await anonymous.get('/brand', { 'if-none-match': headers.etag ?? '' })).status).toBe(200)
  })
  it('422 for another legal entity and another parameter', async () => {
    for (const query of ['company=vendor', 'company=', 'logo=1'])
      expect((await anonymous.get(`/brand?${query}`)).status).toBe(422)
  })
})

describe('GET /brand/logo', () => {
  it.each([
    ['image/png', PNG],
    ['image/svg+xml', Buffer.from(SVG)],
  ])('200 with %s for pages of any host, under a policy that lets nothing run', async (type, content) => {
    await put(content)
    const { raw } = await anonymous.get('/brand/logo?company=entity_br')
    expect(raw.rawPayload.equals(content)).toBe(true)
    expect(raw.headers).toMatchObject({
      'content-type': type,
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
      etag: `"${sha256(content)}"`,
    })
    expect(raw.headers['content-disposition']).toMatch(/^inline; filename="logo\.(png|svg)"$/)
    const again = await anonymous.get('/brand/logo', { 'if-none-match': String(raw.headers.etag) })
    expect([again.raw.statusCode, again.raw.body]).toEqual([304, ''])
  })
  it('404 where there is none, 422 for another legal entity', async () => {
    await remove(staff, 'entity_global')
    expect((await anonymous.get('/brand/logo?company=entity_global')).status).toBe(404)
    expect((await anonymous.get('/brand/logo?company=vendor')).status).toBe(422)
  })
})

const invoicePdf = async () => {
  const body = { currency: 'BRL', company: 'entity_br', total: '50.00', status: 'open' }
  const { id } = (await staff.post('/invoices', body)).data
  return (await acme.owner.get(`/invoices/${id}/pdf`)).raw.rawPayload
}
const imagesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Subtype \/Image/g)?.length ?? 0
const mail = async () => {
  const { email } = await app.world.user()
  await anonymous.post('/auth/forgot-password', { email })
  const [sent] = await mailsTo(app, email)
  const box = await app.service.sandbox?.mail?.list()
  const name = box?.find(({ to }) => to === email)?.name ?? ''
  return { text: sent?.text ?? '', html: (await app.service.sandbox?.mail?.read(name))?.html ?? '' }
}
const page = async () => (await app.service.app.inject({ url: '/reset-password' })).body

describe('the logo', () => {
  it('is on pages, mails and documents as a PNG', async () => {
    await put(PNG)
    expect(await page()).toContain(`<img src="data:image/png;base64,${PNG.toString('base64')}" alt="Titular">`)
    expect((await mail()).html).toContain('/api/v1/brand/logo?company=entity_br" alt="Titular"')
    expect(imagesIn(await invoicePdf())).toBeGreaterThan(0)
  })
  it('is on pages only as an SVG; mails and documents have the name', async () => {
    await put(SVG)
    expect(await page()).toContain('<img src="data:image/svg+xml;base64,')
    const { html, text } = await mail()
    expect(html).not.toContain('<img')
    expect(text).toContain('https://help.vendor.example')
    const pdf = await invoicePdf()
    expect(imagesIn(pdf)).toBe(0)
    expect(textOn(pdf).join('\n')).toContain('Titular Brazil')
  })
  it('that cannot be drawn stops no document', async () => {
    await put(PNG)
    await app.database.query(`update company_settings set logo = '\\x00' where company = 'entity_br'`)
    const pdf = await invoicePdf()
    expect(pdf.toString('latin1', 0, 4)).toBe('%PDF')
    expect(imagesIn(pdf)).toBe(0)
    await remove()
  })
})
