// The tax authority that the configuration chooses, and the one line for each wrong setting.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestCertificate, makeCertificate, pkcs12Of } from '#test/scenes/nfse-certificates.ts'
import { COMPANY, PROFILE, declaration } from '#test/scenes/nfse-fixtures.ts'
import { readConfig } from '#config/config.ts'
import { firstProfilesOf, taxAuthorityOf } from './tax-authority.ts'

const NOW = new Date('2026-11-20T18:00:00Z')

let folder: string
let company: TestCertificate
const at = (name: string) => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'titular-tax-'))
  company = makeCertificate({ name: 'ACME', cnpj: '11222333000181' })
  await writeFile(at('acme.p12'), pkcs12Of(company, { password: 'senha' }))
  await writeFile(
    at('other.p12'),
    pkcs12Of(makeCertificate({ name: 'X', cnpj: '19131243000197' }), { password: 'senha' }),
  )
  await writeFile(at('profiles.json'), JSON.stringify([PROFILE]))
  await writeFile(at('tomorrow.json'), JSON.stringify([{ ...PROFILE, layout: '1.02' }]))
  await writeFile(at('ca.pem'), company.certificatePem)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const environment = (): Record<string, string> => ({
  SANDBOX: '1',
  ENTITY_BR_TAX_AUTHORITY: 'nfse',
  ENTITY_BR_TAX_ID: '11.222.333/0001-81',
  NFSE_BR_ENVIRONMENT: 'restricted',
  NFSE_BR_CERTIFICATE: at('acme.p12'),
  NFSE_BR_CERTIFICATE_PASSWORD: 'senha',
  NFSE_BR_PROFILES: at('profiles.json'),
})

const chosen = async (more: Record<string, string> = {}) => {
  const config = readConfig({ ...environment(), ...more })
  await firstProfilesOf(config)
  return taxAuthorityOf({ config, clock: () => NOW }, null)
}

describe('the tax authority', () => {
  it('is the national NFS-e with certificate and profiles', async () => {
    const authority = await chosen({
      NFSE_BR_CA: at('ca.pem'),
      NFSE_BR_PATHS: 'issue=/emitir',
      NFSE_BR_SIGNATURE: 'sha1',
    })
    expect(await firstProfilesOf(readConfig(environment()))).toEqual([PROFILE])
    const given = declaration({ recipient: { ...COMPANY, parameters: [null, null, null, null, 'refuse'] } })
    const { xml } = (await authority?.prepare(given, PROFILE)) ?? { xml: '' }
    expect(xml).toContain('<tpAmb>2</tpAmb>')
    expect(xml).toContain('rsa-sha1')
    // The sandbox's test codes are not sent to the national system.
    expect(xml).not.toContain('refuse')
  })
  it('is null where tax invoices are issued elsewhere, or no sandbox runs', async () => {
    expect(await chosen({ ENTITY_BR_TAX_AUTHORITY: 'none' })).toBeNull()
    expect(await chosen({ ENTITY_BR_TAX_AUTHORITY: 'sandbox' })).toBeNull()
  })
  it.each<[string, Record<string, string>, RegExp]>([
    ['a wrong password', { NFSE_BR_CERTIFICATE_PASSWORD: 'x' }, /^NFSE_BR_CERTIFICATE does not open with its password/],
    [
      'no certificate',
      { NFSE_BR_CERTIFICATE: '' },
      /^NFSE_BR_CERTIFICATE is missing \(ENTITY_BR_TAX_AUTHORITY is nfse\)$/,
    ],
    [
      'a missing file',
      { NFSE_BR_CERTIFICATE: '/nowhere.p12' },
      /^NFSE_BR_CERTIFICATE names a file that cannot be read \(ENOENT\)$/,
    ],
    [
      'somebody else’s certificate',
      { NFSE_BR_CERTIFICATE: 'other.p12' },
      /^NFSE_BR_CERTIFICATE belongs to another company/,
    ],
    ['a text for a certificate', { NFSE_BR_CERTIFICATE: 'profiles.json' }, /^NFSE_BR_CERTIFICATE is no PKCS#12 file/],
    ['no profiles', { NFSE_BR_PROFILES: '' }, /^NFSE_BR_PROFILES is missing/],
    ['an unknown layout', { NFSE_BR_PROFILES: 'tomorrow.json' }, /^NFSE_BR_PROFILES \[0\]\.layout /],
    ['no authority in NFSE_BR_CA', { NFSE_BR_CA: 'profiles.json' }, /^NFSE_BR_CA holds no certificate in PEM$/],
    ['wrong paths', { NFSE_BR_PATHS: 'x=/y' }, /^NFSE_BR_PATHS must list paths/],
    ['no CNPJ', { ENTITY_BR_TAX_ID: '11222333000182' }, /^ENTITY_BR_TAX_ID must be the CNPJ that issues/],
    [
      'an open line',
      { NFSE_BR_URL: 'http://nfse.example' },
      /^NFSE_BR_URL must be https outside the loopback \(it is "http:\/\/nfse\.example"\)$/,
    ],
    [
      'production in the sandbox',
      { NFSE_BR_ENVIRONMENT: 'production' },
      /^NFSE_BR_ENVIRONMENT must be restricted in the sandbox/,
    ],
  ])('with %s stops the start in one line', async (_what, more, line) => {
    const files = Object.entries(more).map(([name, value]) => [
      name,
      /^\w+\.(p12|json)$/.test(value) ? at(value) : value,
    ])
    const failure = await chosen(Object.fromEntries(files)).catch((error: unknown) => error)
    const message = failure instanceof Error ? failure.message : ''
    expect(message).toMatch(line)
    expect(message.split('\n')).toHaveLength(1)
  })
  it('expired stops the start', async () => {
    const config = readConfig(environment())
    const late = taxAuthorityOf({ config, clock: () => new Date('2050-01-01T00:00:00Z') }, null)
    await expect(late).rejects.toThrow('NFSE_BR_CERTIFICATE expired on 2049-01-01')
  })
})
