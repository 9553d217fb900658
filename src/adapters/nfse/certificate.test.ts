// PKCS#12 files as operators have them, and one sentence for each that cannot be used.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestCertificate, makeCertificate, pkcs12Of } from '#test/scenes/nfse-certificates.ts'
import { UnusableCertificate, readCertificate } from './certificate.ts'

const NOW = new Date('2026-11-20T18:00:00Z')

let authority: TestCertificate
let company: TestCertificate
beforeAll(() => {
  authority = makeCertificate({ name: 'AC de Testes', isAuthority: true })
  company = makeCertificate({ name: 'ACME LTDA', issuer: authority, cnpj: '12ABC34501DE35' })
})

function refusal(file: Buffer, password = 'senha', now = NOW): string {
  try {
    readCertificate(file, password, now)
    return ''
  } catch (error) {
    return error instanceof UnusableCertificate ? error.message : `another error: ${String(error)}`
  }
}

const fixture = (name: string) => readFile(join(import.meta.dirname, '../../../test/fixtures', name))

describe('a PKCS#12 file', () => {
  it.each(['3des', 'aes256'] as const)('encrypted with %s opens, its own certificate first', (algorithm) => {
    const file = pkcs12Of(company, { password: 'sénha 😀', algorithm, chain: [authority] })
    const read = readCertificate(file, 'sénha 😀', NOW)
    expect(read).toMatchObject({
      cnpj: '12ABC34501DE35',
      subject: 'CN=ACME LTDA',
      certificatePem: company.certificatePem,
    })
    expect(read.chainPem).toBe(company.certificatePem + authority.certificatePem)
  })
  it('of other software opens, too', async () => {
    const file = await readFile(join(import.meta.dirname, '../../../test/fixtures/openssl-3.p12'))
    expect(readCertificate(file, 'senha', NOW)).toMatchObject({ cnpj: '12ABC34501DE35', subject: 'CN=ACME LTDA' })
  })
  it('of old software, with RC2-40, opens; what cannot be decrypted is named with what to do', async () => {
    const later = new Date('2027-01-01T00:00:00Z')
    expect(readCertificate(await fixture('rc2-40.p12'), 'sénha', later)).toMatchObject({ subject: 'CN=ACME LTDA' })
    expect(refusal(await fixture('rc2-128.p12'), 'sénha', later)).toBe(
      'is encrypted with an algorithm that is not supported (1.2.840.113549.1.12.1.5); export it again with AES-256',
    )
  })
  it('without a CNPJ gives null for it', () => {
    const plain = makeCertificate({ name: 'Maria' })
    expect(readCertificate(pkcs12Of(plain, { password: '' }), '', NOW).cnpj).toBeNull()
  })
  it('that cannot be used throws a sentence that says why', () => {
    const file = pkcs12Of(company, { password: 'senha' })
    expect(refusal(file)).toBe('')
    expect(refusal(file, 'other')).toBe('does not open with its password, or is damaged')
    expect(refusal(file.subarray(0, file.length - 9))).toBe('is no PKCS#12 file (.p12 or .pfx)')
    expect(refusal(Buffer.from('-----BEGIN CERTIFICATE-----'))).toBe('is no PKCS#12 file (.p12 or .pfx)')
    expect(refusal(Buffer.alloc(0))).toBe('is no PKCS#12 file (.p12 or .pfx)')
    expect(refusal(file, 'senha', new Date('2050-01-01T00:00:00Z'))).toBe('expired on 2049-01-01')
    expect(refusal(file, 'senha', new Date('2019-01-01T00:00:00Z'))).toBe('is not valid before 2020-01-01')
    const mismatched = { ...company, certificate: authority.certificate }
    expect(refusal(pkcs12Of(mismatched, { password: 'senha' }))).toBe(
      'holds no certificate that belongs to its private key',
    )
  })
})
