import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { readCertificate } from '../../src/adapters/nfse/certificate.ts'
import { authorityHttp } from '../../src/adapters/nfse/http.ts'
import { assertSigned } from '../../src/adapters/nfse/signature.ts'
import { TaxAuthorityUntrusted } from '#ports/tax-authority.ts'
import { makeCertificate } from '#test/scenes/nfse-certificates.ts'
import type { PublicCase, ReadInput } from './public-case.ts'

const NOW = new Date('2026-12-01T18:00:00Z')
const passwordIn = ({ text }: ReadInput) => text('password.txt').replace(/\r?\n$/, '')

export const certificatesCases: PublicCase[] = [
  {
    name: 'p12-accents',
    expected: 'a file in AES-256 opens with a password that has accents',
    standard: 'RFC 7292 B.1, RFC 8018: UTF-16 for the seal, UTF-8 for PBES2',
    async check(read) {
      const opened = readCertificate(read.bytes('accents-aes256.p12'), passwordIn(read), NOW)
      expect(opened).toMatchObject({ cnpj: '11222333000181' })
      expect(() => readCertificate(read.bytes('accents-aes256.p12'), 'Acao@2026c', NOW)).toThrow(
        'does not open with its password',
      )
    },
  },
  {
    name: 'p12-two-keys',
    expected: 'of a renewed certificate and the expired one, the valid one is used',
    standard: 'RFC 7292: a file may hold several keys',
    async check(read) {
      const opened = readCertificate(read.bytes('two-keys.p12'), passwordIn(read), NOW)
      expect([opened.validFrom <= NOW, NOW <= opened.validTo, opened.cnpj]).toEqual([true, true, '11222333000181'])
    },
  },
  {
    name: 'icp-brasil-tls',
    expected: 'an authority whose root is unknown is named as not trusted, and reached with its root',
    standard: 'the roots that Node has are those of Mozilla, without ICP-Brasil',
    async check(read) {
      expect(read.text('issuer.txt')).toContain('ICP-Brasil')
      const root = makeCertificate({ name: 'Autoridade Certificadora Raiz Brasileira', isAuthority: true })
      const { keyPem: key, certificatePem: cert } = makeCertificate({ name: 'SERPRO', issuer: root })
      const server = createServer({ key, cert }, (_request, response) => response.end('{}')).listen(0, '127.0.0.1')
      await once(server, 'listening')
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
      const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
      const logged: Error[] = []
      const ask = async (ca: string | null) => {
        const http = authorityHttp({ baseUrl, ca, timeoutMs: 5000, onUntrusted: (error) => void logged.push(error) })
        try {
          return await http.send({ method: 'POST', path: '/nfse', body: {}, certificate: null })
        } finally {
          await http.close()
        }
      }
      await expect(ask(null)).rejects.toThrow(TaxAuthorityUntrusted)
      await expect(ask(null)).rejects.toThrow(/NFSE_BR_CA/)
      expect(logged).toHaveLength(2)
      expect(await ask(root.certificatePem)).toMatchObject({ status: 200 })
      server.close()
    },
  },
  {
    name: 'nfse-uri-empty',
    expected: 'a signature over the whole document is one of the NFS-e in it',
    standard: 'XML Signature 4.4.3.2: the empty URI is the document of the signature',
    async check({ text }) {
      const xml = text('nfse.xml')
      const [, id = ''] = /<infNFSe Id="([^"]+)"/.exec(xml) ?? []
      expect(() => assertSigned(xml, id)).not.toThrow()
      for (const wrong of [
        xml.replace('<nNFSe>42<', '<nNFSe>43<'),
        xml.replace('</NFSe>', `<infNFSe Id="${id}"/></NFSe>`),
        xml.replace('</Signature>', `<Object><infNFSe Id="${id}"/></Object></Signature>`),
      ])
        expect(() => assertSigned(wrong, id)).toThrow('has a signature that does not hold')
      expect(() => assertSigned(xml, `${id}0`)).toThrow('has a signature that does not hold')
    },
  },
]
