// The sandbox tax authority in the running service: over its own HTTP, with state that survives a restart.
import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type TaxAuthority, TaxAnswerUnclear, type TaxDeclaration } from '#ports/tax-authority.ts'
import { taxAuthorityContract } from '#ports/tax-authority.contract.ts'
import { appOfFile } from '#test/harness/app.ts'
import { COMPANY, REFORM, WITHOUT_ADDRESS, declaration } from '#test/scenes/nfse-fixtures.ts'
import { type SandboxTaxAuthority, sandboxTaxAuthority } from './authority.ts'
import { controlDigit, partOf } from './numbers.ts'
import { SANDBOX_PROFILE } from './profiles.ts'
import { outcomeOf } from './rules.ts'
import { signatureFault } from './signature-check.ts'

let number = 1
const app = await appOfFile({ listens: true })
const configured = app.service.ports.taxAuthority
if (!configured) throw new Error('no tax authority')
const authority: TaxAuthority = configured

function next(mark: string | null = null, more: Partial<TaxDeclaration> = {}): TaxDeclaration {
  const recipient = { ...COMPANY, parameters: [null, null, null, null, mark] }
  const provider = { taxId: app.service.ports.settings.entities.entity_br.taxId, name: 'Titular Brazil' }
  const declaredAt = new Date(app.clock.now.getTime() - 86_400_000)
  const competence = declaredAt.toISOString().slice(0, 8) + '01'
  return declaration({ number: number++, recipient, provider, declaredAt, competence, ...more })
}

async function prepared(mark: string | null = null, more: Partial<TaxDeclaration> = {}) {
  const given = next(mark, more)
  return authority.prepare(given, SANDBOX_PROFILE)
}

const get = (path: string) => fetch(`${app.url}/sandbox/tax${path}`)

taxAuthorityContract('the sandbox', SANDBOX_PROFILE, () => ({
  authority,
  declaration: () => next(),
  now: app.clock.now,
}))

describe('the tax sandbox', () => {
  it('issues at once, with consecutive numbers', async () => {
    const [one, other] = [await authority.issue(await prepared()), await authority.issue(await prepared())]
    if (one.outcome !== 'issued' || other.outcome !== 'issued') throw new Error(JSON.stringify([one, other]))
    expect(Number(other.number)).toBe(Number(one.number) + 1)
    expect(one.accessKey).toContain('11222333000181')
    expect(one.xml).toContain('<xNome>Titular Brazil</xNome>')
    expect(one.issAmount).toBe('35.80')
    expect((await get(`/nfse/${one.accessKey}`)).status).toBe(200)
  })
  it('issues for a recipient without address and tax id', async () => {
    const unknown = { ...WITHOUT_ADDRESS, taxId: null, name: 'Loja da Maria' }
    expect(await authority.issue(await prepared(null, { recipient: unknown }))).toMatchObject({ outcome: 'issued' })
  })
  it('refuses a recipient whose fifth parameter is `refuse`, with code and message', async () => {
    expect(await authority.issue(await prepared('refuse'))).toEqual({
      outcome: 'refused',
      problems: [
        { code: 'E0188', message: 'O CNPJ do tomador não foi encontrado no cadastro.', detail: 'tax_param5: refuse' },
      ],
    })
  })
  it('is unavailable once for `unavailable`', async () => {
    const what = await prepared('unavailable')
    await expect(authority.issue(what)).rejects.toBeInstanceOf(TaxAnswerUnclear)
    expect(await authority.find(what.id)).toBeNull()
    expect(await authority.issue(what)).toMatchObject({ outcome: 'issued' })
  })
  it('issues for `unclear`, but answers 500', async () => {
    const what = await prepared('unclear')
    await expect(authority.issue(what)).rejects.toBeInstanceOf(TaxAnswerUnclear)
    const found = await authority.find(what.id)
    expect(found).toMatchObject({ outcome: 'issued' })
    expect(await authority.issue(what)).toEqual(found)
  })
  it('does not send other text of the fifth parameter', async () => {
    expect((await prepared('our secret')).xml).not.toContain('secret')
    expect((await prepared()).xml).not.toContain('infoCompl')
    expect(outcomeOf([null, null, null, null, ' Refuse '])).toBe('refuse')
    expect(outcomeOf([])).toBeNull()
  })
  it('issues with the codes of the 2026 reform', async () => {
    expect(await authority.issue(await authority.prepare(next(), REFORM))).toMatchObject({ outcome: 'issued' })
  })
  it('answers no other path', async () => {
    for (const path of [
      '/',
      '/nfse/',
      '/dps/..%2f..',
      '/nfse/x/eventos/101101/1',
      '/dps/DPS1',
      `/nfse/${'0'.repeat(50)}`,
    ])
      expect((await get(path)).status, path).toBe(404)
    for (const body of ['', '[]', '{}', '{"dpsXmlGZipB64":"x"}', '{"dpsXmlGZipB64":1}'])
      expect((await fetch(`${app.url}/sandbox/tax/nfse`, { method: 'POST', body })).status, body).toBe(400)
    expect((await fetch(`${app.url}/sandbox/tax/nfse`, { method: 'DELETE' })).status).toBe(405)
  })
  it('stores its keys readable by their owner only', async () => {
    const folder = join(app.dataDir, 'sandbox', 'tax')
    for (const name of ['taxpayer.pem', 'authority.pem'])
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).toSorted()).toEqual(['authority.pem', 'invoices', 'taxpayer.pem'])
  })
  it('keeps keys and numbers across a restart', async () => {
    const issued = await authority.issue(await prepared())
    if (issued.outcome !== 'issued') throw new Error(JSON.stringify(issued))
    const restarted: SandboxTaxAuthority = sandboxTaxAuthority({ dataDir: app.dataDir, providerName: 'x' })
    const path = `/sandbox/tax/nfse/${issued.accessKey}`
    const answer = await restarted.handle({ method: 'GET', path, headers: {}, body: null })
    expect(answer).toMatchObject({ status: 200, body: expect.stringContaining(issued.accessKey) })
    const { keyPem } = await restarted.taxpayer()
    expect(await readFile(join(app.dataDir, 'sandbox', 'tax', 'taxpayer.pem'), 'utf8')).toContain(keyPem)
  })
})

describe('the sandbox’s own arithmetic', () => {
  it('gives the check digits of known numbers', () => {
    for (const cnpj of ['12ABC34501DE35', '11222333000181', 'ZZZZZZZZ000191', '00000000000A04'])
      expect(controlDigit(cnpj.slice(0, 13)), cnpj).toBe(cnpj.slice(13))
  })
  it('rounds half away from zero', () => {
    expect([partOf('0.25', '2.00'), partOf('0.24', '2.00'), partOf('999999999999.99', '5.00')]).toEqual([
      '0.01',
      '0.00',
      '50000000000.00',
    ])
  })
  it('verifies signatures itself, of documents in canonical form only', async () => {
    const { id, xml } = await prepared()
    expect(signatureFault(xml, 'infDPS', id)).toBeNull()
    const other = (change: (text: string) => string) => signatureFault(change(xml), 'infDPS', id)
    expect(other((text) => text.replace('<serie>1<', '<serie>2<'))).toBe('the digest differs')
    expect(other((text) => text.replace(/<DigestValue>./, '<DigestValue>_'))).toBe('the digest differs')
    expect(other((text) => text.replace(/<SignatureValue>..../, '<SignatureValue>AAAA'))).toBe('the signature differs')
    expect(other((text) => text.replace('URI="#DPS', 'URI="#XXX'))).toBe('a reference to something else')
    expect(other((text) => text.replaceAll('xml-exc-c14n#', 'xml-other#'))).toBe(
      'other transforms than the expected ones',
    )
    expect(other((text) => text.replace('<serie>', '<serie><!-- -->'))).toBe('not in canonical form')
    expect(other((text) => text.replace(/<Signature .*<\/Signature>/s, ''))).toBe(
      'not a signed document in the expected form',
    )
  })
})
