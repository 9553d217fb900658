// Verifies a signature with node:crypto alone: canonical bytes, digest, RSA. It reads only documents that are written
// in canonical form, as this service writes them, and does not use the library that signed.
import { X509Certificate, createHash, verify } from 'node:crypto'

const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  ['http://www.w3.org/2000/09/xmldsig#sha1', 'sha1'],
])
const SIGNATURES: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'sha256'],
  ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'sha1'],
])
const CANONICAL = ['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315']
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const XMLDSIG = 'http://www.w3.org/2000/09/xmldsig#'

/** Null when the signature of the element with this Id is valid; otherwise what is wrong. */
export function signatureFault(xml: string, element: string, id: string): string | null {
  const [, namespace, body, signature, root] =
    new RegExp(
      '^<\\?xml version="1.0" encoding="UTF-8"\\?><\\w+ xmlns="([^"]+)" versao="1.01">' +
        `(<${element} Id="${id}">.*</${element}>)(<Signature xmlns="${XMLDSIG}">.*</Signature>)</(\\w+)>$`,
      's',
    ).exec(xml) ?? []
  if (!namespace || !body || !signature || !root) return 'not a signed document in the expected form'
  if (/<!|<\?|\/>|<\w+:|\r/.test(body)) return 'not in canonical form'
  const [signedInfo] = /<SignedInfo>.*<\/SignedInfo>/s.exec(signature) ?? []
  if (signedInfo === undefined || (signature.match(/<Reference /g) ?? []).length !== 1) return 'not one reference'
  const algorithms = (name: string) =>
    [...signedInfo.matchAll(new RegExp(`<${name} Algorithm="([^"]*)"`, 'g'))].map((one) => one[1] ?? '')
  const [canonical = ''] = algorithms('CanonicalizationMethod')
  if (!CANONICAL.includes(canonical) || algorithms('Transform').join() !== [ENVELOPED, canonical].join())
    return 'other transforms than the expected ones'
  if (!signedInfo.includes(`<Reference URI="#${id}">`)) return 'a reference to something else'
  const digest = DIGESTS.get(algorithms('DigestMethod')[0] ?? '')
  const method = SIGNATURES.get(algorithms('SignatureMethod')[0] ?? '')
  if (!digest || !method) return 'an unknown algorithm'
  const bytes = body.replace(`<${element} `, `<${element} xmlns="${namespace}" `)
  if (createHash(digest).update(bytes, 'utf8').digest('base64') !== contentOf('DigestValue', signedInfo))
    return 'the digest differs'
  const info = signedInfo
    .replaceAll(/<(\w+)((?: [^<>]*?)?)\s*\/>/g, '<$1$2></$1>')
    .replace('<SignedInfo>', `<SignedInfo xmlns="${XMLDSIG}">`)
  const certificate = new X509Certificate(Buffer.from(contentOf('X509Certificate', signature), 'base64'))
  const value = Buffer.from(contentOf('SignatureValue', signature), 'base64')
  return verify(method, Buffer.from(info, 'utf8'), certificate.publicKey, value) ? null : 'the signature differs'
}

const contentOf = (name: string, xml: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll(/\s/g, '') ?? ''
