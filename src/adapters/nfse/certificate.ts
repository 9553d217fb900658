// The certificate for signatures and mutual TLS: a PKCS#12 file (A1) with its password, encrypted with RC2, 3DES or
// AES. One that cannot be used is reported in one sentence when the service starts.
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

/** Of several keys, as in a renewed file, the one whose certificate is valid, and of these the one that is longest. */
export function readCertificate(file: Buffer, password: string, now: Date): Certificate {
  const { keys, certificates } = opened(file, password)
  const pairs = keys.flatMap((keyPem) => {
    const key = createPrivateKey(keyPem)
    return certificates
      .filter((one) => new X509Certificate(one).checkPrivateKey(key))
      .map((own) => certificateOf(keyPem, own, certificates))
  })
  const inTime = pairs.filter(({ validFrom, validTo }) => validFrom <= now && now <= validTo)
  const [best] = (inTime.length > 0 ? inTime : pairs).toSorted((one, other) => +other.validTo - +one.validTo)
  if (best === undefined) throw new UnusableCertificate('holds no certificate that belongs to its private key')
  assertInTime(best, now)
  return best
}

function certificateOf(keyPem: string, own: string, certificates: readonly string[]): Certificate {
  const { subject, validFromDate: validFrom, validToDate: validTo } = new X509Certificate(own)
  return {
    keyPem,
    certificatePem: own,
    chainPem: [own, ...certificates.filter((one) => one !== own)].join(''),
    subject: subject.replaceAll('\n', ', '),
    cnpj: cnpjIn(own),
    validFrom,
    validTo,
  }
}

export function assertInTime({ validFrom, validTo }: Certificate, now: Date): void {
  if (now > validTo) throw new UnusableCertificate(`expired on ${validTo.toISOString().slice(0, 10)}`)
  if (now < validFrom) throw new UnusableCertificate(`is not valid before ${validFrom.toISOString().slice(0, 10)}`)
}

function opened(file: Buffer, password: string): { keys: string[]; certificates: string[] } {
  const { pki } = forge
  const bags = pkcs12Of(file, password).safeContents.flatMap(({ safeBags }) => safeBags)
  const keys = bags.flatMap(({ key }) => (key ? [pki.privateKeyToPem(key).replaceAll('\r', '')] : []))
  if (keys.length === 0) throw new UnusableCertificate('holds no private key of RSA')
  const certificates = bags.flatMap(({ cert }) => (cert ? [pki.certificateToPem(cert).replaceAll('\r', '')] : []))
  return { keys, certificates }
}

/**
 * The seal of the file is made of the password in UTF-16, as is the older encryption; PBES2 takes it in UTF-8.
 * node-forge gives PBES2 what it gives the seal: a file whose seal holds is read once more for the other, without its
 * seal.
 */
function pkcs12Of(file: Buffer, password: string): forge.pkcs12.Pkcs12Pfx {
  try {
    return forge.pkcs12.pkcs12FromAsn1(asn1Of(file), password)
  } catch (cause) {
    if (cause instanceof UnusableCertificate) throw cause
    if (isWrongPassword(cause)) throw new UnusableCertificate(WRONG_PASSWORD, { cause })
    try {
      return forge.pkcs12.pkcs12FromAsn1(withoutSeal(asn1Of(file)), forge.util.encodeUtf8(password))
    } catch {
      throw new UnusableCertificate(whyNot(cause), { cause })
    }
  }
}

const WRONG_PASSWORD = 'does not open with its password, or is damaged'
const isWrongPassword = (cause: unknown): boolean => messageOf(cause).includes('MAC could not be verified')
const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : '')

function whyNot(cause: unknown): string {
  const oid: unknown = Reflect.get(Object(cause), 'oid')
  if (typeof oid === 'string')
    return `is encrypted with an algorithm that is not supported (${oid}); export it again with AES-256`
  const message = messageOf(cause)
  if (/unsupported MAC/i.test(message))
    return 'is sealed with an algorithm that is not supported; export it again with HMAC of SHA-256'
  return /decrypt|MAC/i.test(message) ? WRONG_PASSWORD : 'is damaged'
}

function withoutSeal(pfx: forge.asn1.Asn1): forge.asn1.Asn1 {
  if (Array.isArray(pfx.value)) pfx.value.splice(2)
  return pfx
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
