// The answers of an authority: refusals, none, unclear ones. Nothing is issued twice, and no row stays pending.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { PROFILE, OF_ANOTHER_SYSTEM } from '#test/stand-ins/tax-authority.ts'
import { TaxAuthorityUntrusted } from '#ports/tax-authority.ts'
import { KINDS, type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

const retry = (id: number) => scene.acme.staff.post(`/tax-invoices/${id}/retry`)
const REFUSED = [{ code: 'E0188', message: 'CNPJ do tomador inválido', detail: 'dígito' }]
const expectIssuedOnce = (id: number) => scene.expectIssuedOnce(id)

describe('an authority that refuses', () => {
  it('leaves its code and message, explained in the caller’s language', async () => {
    const { id } = await scene.made(REFUSED)
    const inEnglish = await scene.clerk.get(`/tax-invoices/${id}`, { 'accept-language': 'en' })
    expect(inEnglish.data).toMatchObject({
      status: 'error',
      substatus: 'refused',
      error_code: 'E0188',
      error_message: 'CNPJ do tomador inválido (dígito)',
      error_explanation: expect.stringContaining('CNPJ of the customer'),
    })
    const inPortuguese = await scene.clerk.get(`/tax-invoices/${id}`, { 'accept-language': 'pt-BR,en;q=0.5' })
    expect(inPortuguese.data.error_explanation).toContain('CNPJ do cliente')
    await scene.app.database.query(`update users set language = 'pt-BR' where id = $1`, [scene.clerk.userId])
    expect((await scene.clerk.get(`/tax-invoices/${id}`)).data.error_explanation).toContain('CNPJ do cliente')
  })
  it('leaves all of several problems, and no explanation for an unknown code', async () => {
    const problems = [
      { code: 'E9999', message: 'Primeiro', detail: null },
      { code: 'E0188', message: 'Segundo', detail: null },
    ]
    expect(await scene.made(problems)).toMatchObject({
      error_code: 'E9999',
      error_message: 'E9999: Primeiro\nE0188: Segundo',
      error_explanation: null,
    })
  })
  it('gets the same number on a retry, with the current recipient and profile, and is asked first', async () => {
    const failed = await scene.made(REFUSED)
    await scene.app.database.query(`update organizations set legal_name = 'New name Ltda' where id = $1`, [
      scene.acme.id,
    ])
    scene.authority.profile = { ...PROFILE, services: { default: { national: '010701', iss_rate: '5.00' } } }
    scene.authority.calls.length = 0
    const answer = await retry(failed.id)
    expect(answer.data).toMatchObject({ status: 'pending', substatus: 'queued', error_code: null, error_message: null })
    await scene.work()
    await expectIssuedOnce(failed.id)
    expect(await scene.get(failed.id)).toMatchObject({ service_code: '010701', iss_rate: '5.00' })
    expect(KINDS(scene.authority.calls)).toEqual(['find', 'issue'])
    expect(scene.authority.declared.at(-1)).toMatchObject({
      number: failed.rps_number,
      recipient: { name: 'New name Ltda' },
      service: { national: '010701' },
    })
  })
  it('because the number is taken is asked for the document: a lost answer is found', async () => {
    const made = await scene.made('late', 'issue')
    await scene.workLong(5)
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'find', 'issue', 'find'])
  })
  it('after an earlier attempt is asked again, since that attempt may have arrived in the meantime', async () => {
    const made = await scene.made('late', [{ code: 'E0188', message: 'CNPJ inválido', detail: null }])
    await scene.workLong(5)
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'find', 'issue', 'find'])
  })
  it('is asked again also after the authority was away', async () => {
    const made = await scene.made('late', 'away', [{ code: 'E0188', message: 'CNPJ inválido', detail: null }])
    await scene.workLong(1)
    expect(await scene.get(made.id)).toMatchObject({ status: 'pending', substatus: 'unclear' })
    await scene.workLong(5)
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'find', 'issue', 'find'])
  })
  it('because the number is taken, without a document for it, leaves an error like any other', async () => {
    const made = await scene.made('number_taken')
    expect(made).toMatchObject({ status: 'error', substatus: 'refused', error_code: 'E0014' })
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'find'])
  })
})

const foreign = (number: number) => ({
  outcome: 'issued' as const,
  number: '7',
  accessKey: 'KEY-OF-ANOTHER',
  verificationCode: null,
  issuedAt: new Date('2026-11-20T12:00:00Z'),
  xml: `<NFSe>${OF_ANOTHER_SYSTEM}</NFSe>${number}`,
  issAmount: null,
})

describe('a number that another system has used', () => {
  it('is an error, never our tax invoice, also after retries', async () => {
    const last = (await scene.made()).rps_number + 1
    scene.authority.issued.set(`DPS-1-${last}`, foreign(last))
    const made = await scene.made()
    expect(made).toMatchObject({ rps_number: last, status: 'error', error_code: 'NUMBER_TAKEN', nfse_number: null })
    expect(made.error_message).toMatch(/KEY-OF-ANOTHER.*Cancel this one and issue anew/)
    expect((await retry(made.id)).status).toBe(200)
    await scene.work()
    expect(await scene.get(made.id)).toMatchObject({ status: 'error', error_code: 'NUMBER_TAKEN' })
    const body = { reason_code: '9', reason: 'The number is taken' }
    expect((await scene.acme.staff.post(`/tax-invoices/${made.id}/cancel`, body)).data.status).toBe('cancelled')
    const anew = await scene.acme.staff.post('/tax-invoices', { invoice_id: made.invoice_id })
    expect(anew.data.rps_number).toBe(last + 1)
    await scene.work()
    expect((await scene.get(anew.data.id)).status).toBe('issued')
  })
})

describe('a declaration that cannot be built', () => {
  it('is an error that says what is missing; nothing was sent, and a retry sends it without asking first', async () => {
    scene.authority.script.prepare = [[{ code: 'NO_ADDRESS', message: 'The recipient has no address', detail: null }]]
    const failed = await scene.made()
    expect(failed).toMatchObject({
      status: 'error',
      substatus: 'undeclarable',
      error_code: 'NO_ADDRESS',
      error_message: 'The recipient has no address',
    })
    expect((await retry(failed.id)).status).toBe(200)
    await scene.work()
    await expectIssuedOnce(failed.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue'])
  })
  it('has an error for an unknown country', async () => {
    await scene.app.database.query(`update organizations set country = 'Atlantis' where id = $1`, [scene.acme.id])
    const failed = await scene.made()
    await scene.app.database.query(`update organizations set country = 'BR' where id = $1`, [scene.acme.id])
    expect(failed).toMatchObject({ status: 'error', error_code: 'RECIPIENT_COUNTRY', substatus: 'undeclarable' })
    expect(scene.authority.calls).toEqual([])
  })
})

describe('an authority that is away', () => {
  it('before the signing is tried again, and declared again by a retry', async () => {
    scene.authority.script.prepare = Array.from({ length: 24 }, () => 'away' as const)
    const made = await scene.made()
    expect(made).toMatchObject({ status: 'pending', substatus: 'unavailable' })
    await scene.workLong(30)
    expect(await scene.get(made.id)).toMatchObject({ status: 'error', substatus: 'unavailable' })
    scene.authority.profile = { ...PROFILE, services: { default: { national: '010701' } } }
    await retry(made.id)
    await scene.work()
    await expectIssuedOnce(made.id)
    expect(scene.authority.declared.map(({ service }) => service.national)).toEqual(['010701'])
    expect(KINDS(scene.authority.calls)).toEqual(['issue'])
  })
  it('is tried again with growing gaps, without asking first, since nothing was sent', async () => {
    const made = await scene.made('away', 'away', 'away')
    expect(made).toMatchObject({ status: 'pending', substatus: 'unavailable' })
    expect((await retry(made.id)).status, 'while it waits').toBe(409)
    const gaps: number[] = []
    for (let times = 0; times < 3; times++) {
      const [job] = await scene.app.database.query<{ run_at: string }>(
        `select run_at from jobs where kind = 'tax-invoices/send'`,
      )
      gaps.push((Date.parse(job?.run_at ?? '') - scene.app.clock.now.getTime()) / 1000)
      await scene.workLong(1)
    }
    expect(gaps).toEqual([2, 4, 8])
    await scene.workLong(5)
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'issue', 'issue', 'issue'])
    expect(await deadLetters(scene.app)).toEqual([])
  })
  it('for half a day leaves an error that says so; a retry continues', async () => {
    const made = await scene.made(...Array.from({ length: 24 }, () => 'away' as const))
    await scene.workLong(30)
    expect(await scene.get(made.id)).toMatchObject({
      status: 'error',
      substatus: 'unavailable',
      error_code: 'UNAVAILABLE',
      error_explanation: expect.any(String),
    })
    expect(scene.authority.calls).toHaveLength(24)
    expect((await retry(made.id)).data).toMatchObject({ status: 'pending', error_code: null })
    await scene.work()
    await expectIssuedOnce(made.id)
  })
})

describe('an answer that is not clear', () => {
  it('is followed by a question, which finds what was issued', async () => {
    const made = await scene.made('issued_unseen')
    expect(made).toMatchObject({ status: 'pending', substatus: 'unclear' })
    await scene.workLong(5)
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'find'])
  })
  it('is followed by a question, and what was not issued is sent again', async () => {
    const made = await scene.made('lost')
    await scene.workLong(5)
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls)).toEqual(['issue', 'find', 'issue'])
  })
  it('stays unclear while the question has no answer either, and nothing is sent before that', async () => {
    scene.authority.script.find = Array.from({ length: 40 }, (_, index) => (index % 2 ? 'away' : 'unclear'))
    const made = await scene.made('issued_unseen')
    await scene.workLong(30)
    const found = await scene.get(made.id)
    expect(found).toMatchObject({ status: 'error', substatus: 'unclear', error_code: 'UNCLEAR' })
    expect(KINDS(scene.authority.calls).filter((kind) => kind === 'issue')).toHaveLength(1)
    const body = { reason_code: '9', reason: 'Nobody knows what it is' }
    expect((await scene.acme.staff.post(`/tax-invoices/${made.id}/cancel`, body)).status).toBe(409)
    scene.authority.script.find = []
    scene.authority.profile = null
    expect((await retry(made.id)).data, 'no other profile counts').toMatchObject({
      status: 'pending',
      substatus: 'unclear',
    })
    await scene.work()
    await expectIssuedOnce(made.id)
    expect(KINDS(scene.authority.calls).filter((kind) => kind === 'issue')).toHaveLength(1)
  })
})

describe('an authority whose certificate is not trusted', () => {
  it('is named so while it is asked again, and no more once it has answered', async () => {
    const { authority } = scene
    const issue = authority.issue
    authority.issue = () => Promise.reject(new TaxAuthorityUntrusted('SELF_SIGNED_CERT_IN_CHAIN'))
    const made = await scene.made()
    expect(made).toMatchObject({ status: 'pending', substatus: 'unavailable', error_code: 'NOT_TRUSTED' })
    expect([made.error_message, made.error_explanation]).toEqual([
      expect.stringContaining('NFSE_BR_CA'),
      // In the language of whoever asks.
      expect.stringMatching(/is not trusted|não é reconhecido/),
    ])
    authority.issue = issue
    await scene.workLong(1)
    expect(await scene.get(made.id)).toMatchObject({ status: 'issued', error_code: null, error_message: null })
  })
})
