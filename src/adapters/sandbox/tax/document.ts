// Documents of the national NFS-e as the sandbox tax authority reads, writes and signs them.
import { SignedXml } from 'xml-crypto'
import { readXml, UnreadableXml } from '#kernel/values/text/xml.ts'
import type { KeyPair } from './key-pair.ts'

export const NAMESPACE = 'http://www.sped.fazenda.gov.br/nfse'

export type Document = (...path: string[]) => string

/** Text by its path, empty without the element; null when the text is no safe XML. */
export function readDocument(xml: string): Document | null {
  try {
    const tree = readXml(xml)
    return (...path) => tree.text(path.join('.')) ?? ''
  } catch (error) {
    if (error instanceof UnreadableXml) return null
    throw error
  }
}

/** Elements in the order of the entries; their text must already be escaped. */
export const elements = (fields: readonly (readonly [name: string, content: string])[]): string =>
  fields.map(([name, content]) => (content === '' ? '' : `<${name}>${content}</${name}>`)).join('')

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Signs as the national system does: RSA with SHA-256, exclusive canonical form with comments. */
export function signDocument(xml: string, element: string, { keyPem, certificatePem }: KeyPair): string {
  const canonical = 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'
  const signed = new SignedXml({
    privateKey: keyPem,
    publicCert: certificatePem,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: canonical,
  })
  signed.addReference({
    xpath: `/*/*[local-name(.)='${element}']`,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', canonical],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  })
  signed.computeSignature(xml, { location: { reference: `/*/*[local-name(.)='${element}']`, action: 'after' } })
  return signed.getSignedXml()
}
