// The certificate for signatures and mutual TLS: a PKCS#12 file (A1) with its password, encrypted with 3DES or AES. One that
// cannot be used is reported in one sentence when the service starts.
import { X509Certificate, createPrivateKey } from 'node:crypto'
import forge from 'node-forge'

export type Certificate = {
  keyPem: string
  /** The holder's own certificate. */
  certificatePem: string
  /** The certificate with its issuers, for TLS. */
  chainPem: string
  subject: string
  /** From ICP-Brasil's extension; null where there is none, as in e-CPF and test certificates. */
  cnpj: string | null
  validFrom: Date
  validTo: Date
}

/** The message continues a sentence that begins with the setting's name. */
export class UnusableCertificate extends Error {}

export function readCertificate(file: Buffer, password: string, now: Date): Certificate {
  const { keyPem, certificates } = opened(file, password)
  const key = createPrivateKey(keyPem)
  const own = certificates.find((one) => new X509Certificate(one).checkPrivateKey(key))
  if (own === undefined) throw new UnusableCertificate('holds no certificate that belongs to its private key')
  const { subject, validFromDate: validFrom, validToDate: validTo } = new X509Certificate(own)
  const result = {
    keyPem,
    certificatePem: own,
    chainPem: [own, ...certificates.filter((one) => one !== own)].join(''),
    subject: subject.replaceAll('\n', ', '),
    cnpj: cnpjIn(own),
    validFrom,
    validTo,
  }
  assertInTime(result, now)
  return result
}

export function assertInTime({ validFrom, validTo }: Certificate, now: Date): void {
  if (now > validTo) throw new UnusableCertificate(`expired on ${validTo.toISOString().slice(0, 10)}`)
  if (now < validFrom) throw new UnusableCertificate(`is not valid before ${validFrom.toISOString().slice(0, 10)}`)
}

function opened(file: Buffer, password: string): { keyPem: string; certificates: string[] } {
  const asn1 = asn1Of(file)
  const { pki } = forge
  let pkcs12: forge.pkcs12.Pkcs12Pfx
  try {
    pkcs12 = forge.pkcs12.pkcs12FromAsn1(asn1, password)
  } catch {
    throw new UnusableCertificate('does not open with its password, or is damaged')
  }
  const bags = pkcs12.safeContents.flatMap(({ safeBags }) => safeBags)
  const key = bags.find((bag) => bag.key)?.key
  if (!key) throw new UnusableCertificate('holds no private key of RSA')
  const certificates = bags.flatMap(({ cert }) => (cert ? [pki.certificateToPem(cert).replaceAll('\r', '')] : []))
  return { keyPem: pki.privateKeyToPem(key).replaceAll('\r', ''), certificates }
}

function asn1Of(file: Buffer): forge.asn1.Asn1 {
  try {
    return forge.asn1.fromDer(file.toString('latin1'))
  } catch {
    throw new UnusableCertificate('is no PKCS#12 file (.p12 or .pfx)')
  }
}

/** OID 2.16.76.1.3.3 among the other names of the subject, then the fourteen characters. */
function cnpjIn(certificatePem: string): string | null {
  const der = new X509Certificate(certificatePem).raw.toString('latin1')
  const at = der.indexOf('\x06\x05\x60\x4c\x01\x03\x03')
  if (at < 0) return null
  return /[0-9A-Z]{12}[0-9]{2}/.exec(der.slice(at + 7, at + 27))?.[0] ?? null
}
