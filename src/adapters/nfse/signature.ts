// XML signatures of the national NFS-e: of the element with the Id, placed after it, without prefixes.
import { SignedXml } from 'xml-crypto'
import { UnreadableXml } from '#kernel/values/text/xml.ts'
import type { Certificate } from './certificate.ts'

export type SignatureMethod = 'sha256' | 'sha1'

const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/** The national system accepts both; some municipalities accept only SHA-1. */
const METHODS = {
  sha256: {
    signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
    canonical: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  },
  sha1: {
    signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
    canonical: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  },
} as const satisfies Record<SignatureMethod, object>

export function signXml(xml: string, element: string, certificate: Certificate, method: SignatureMethod): string {
  const { signature, digest, canonical } = METHODS[method]
  const signed = new SignedXml({
    privateKey: certificate.keyPem,
    publicCert: certificate.certificatePem,
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: canonical,
  })
  signed.addReference({
    xpath: `//*[local-name(.)='${element}']`,
    transforms: [ENVELOPED, canonical],
    digestAlgorithm: digest,
  })
  signed.computeSignature(xml, { location: { reference: `//*[local-name(.)='${element}']`, action: 'after' } })
  return signed.getSignedXml()
}

/**
 * Verifies the last signature of the document, of the element with this Id or of the whole document, with the
 * certificate inside it. A signed document inside the element has its own signature, which is not verified.
 */
export function assertSigned(xml: string, id: string): void {
  const last = [...xml.matchAll(/<(?:\w+:)?Signature[\s>]/g)].at(-1)
  const [signature] = last ? (/^<((?:\w+:)?Signature)[\s>].*?<\/\1\s*>/s.exec(xml.slice(last.index)) ?? []) : []
  if (signature === undefined) throw new UnreadableXml('is not signed')
  const signed = new SignedXml({ getCertFromKeyInfo: SignedXml.getCertFromKeyInfo })
  let isGood: boolean
  try {
    signed.loadSignature(signature)
    isGood = signed.checkSignature(xml)
  } catch (cause) {
    throw new UnreadableXml('has a signature that does not hold', { cause })
  }
  if (!isGood || !covers(signed, xml, id)) throw new UnreadableXml('has a signature that does not hold')
}

/**
 * One reference, of the element with this Id, or of the whole document less this signature, in which it is the only
 * one.
 */
function covers(signed: SignedXml, xml: string, id: string): boolean {
  const [reference, ...more] = signed.getReferences()
  if (more.length > 0) return false
  if (reference?.uri !== '') return reference?.uri === `#${id}`
  const [covered = ''] = signed.getSignedReferences()
  return idsIn(covered, id) === 1 && idsIn(xml, id) === 1
}

const idsIn = (xml: string, id: string): number =>
  [...xml.matchAll(/\sId\s*=\s*(["'])([^"']*)\1/g)].filter(([, , value]) => value === id).length
