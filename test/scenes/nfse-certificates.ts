// Certificates for tests: a certificate authority, a server, and, for the NFS-e, taxpayers in PKCS#12 files.
import { generateKeyPairSync } from 'node:crypto'
import forge from 'node-forge'

export type TestCertificate = { keyPem: string; certificatePem: string; certificate: forge.pki.Certificate }

export type CertificateWishes = {
  name: string
  issuer?: TestCertificate
  isAuthority?: boolean
  cnpj?: string
  /** The host name of a server; without one it is the loopback. */
  domain?: string
  validFrom?: string
  validTo?: string
}

let serial = 1

export function makeCertificate(wishes: CertificateWishes): TestCertificate {
  const { privateKey: keyPem } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const key = forge.pki.privateKeyFromPem(keyPem)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e)
  certificate.serialNumber = `0${serial++}`
  certificate.validity.notBefore = new Date(wishes.validFrom ?? '2020-01-01T00:00:00Z')
  certificate.validity.notAfter = new Date(wishes.validTo ?? '2049-01-01T00:00:00Z')
  const subject = [{ name: 'commonName', value: wishes.name }]
  certificate.setSubject(subject)
  certificate.setIssuer(wishes.issuer?.certificate.subject.attributes ?? subject)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: wishes.isAuthority === true },
    wishes.cnpj === undefined
      ? { name: 'subjectAltName', altNames: [alternativeName(wishes)] }
      : { id: '2.5.29.17', critical: false, value: namesWithCnpj(wishes.cnpj) },
  ])
  const signer = wishes.issuer ? forge.pki.privateKeyFromPem(wishes.issuer.keyPem) : key
  certificate.sign(signer, forge.md.sha256.create())
  return { keyPem, certificatePem: forge.pki.certificateToPem(certificate).replaceAll('\r', ''), certificate }
}

const alternativeName = ({ domain }: CertificateWishes) =>
  domain === undefined ? { type: 7, ip: '127.0.0.1' } : { type: 2, value: domain }

/** As in certificates of ICP-Brasil: an alternative name with OID 2.16.76.1.3.3. */
function namesWithCnpj(cnpj: string): string {
  const { asn1 } = forge
  const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class
  const text = asn1.create(UNIVERSAL, asn1.Type.OCTETSTRING, false, cnpj)
  const other = asn1.create(CONTEXT_SPECIFIC, 0, true, [
    asn1.create(UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer('2.16.76.1.3.3').getBytes()),
    asn1.create(CONTEXT_SPECIFIC, 0, true, [text]),
  ])
  return asn1.toDer(asn1.create(UNIVERSAL, asn1.Type.SEQUENCE, true, [other])).getBytes()
}

export type Pkcs12Wishes = { password: string; algorithm?: '3des' | 'aes256'; chain?: readonly TestCertificate[] }

export function pkcs12Of(one: TestCertificate, { password, algorithm = 'aes256', chain = [] }: Pkcs12Wishes): Buffer {
  const all = [one, ...chain].map(({ certificate }) => certificate)
  const asn1 = forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(one.keyPem), all, password, { algorithm })
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1')
}
