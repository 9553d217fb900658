// A stand-in of the tax authority and a taxpayer with a certificate for it, for the tests of the NFS-e.
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate } from '../../src/adapters/nfse/certificate.ts'
import { type NfseOptions, createNfse } from '../../src/adapters/nfse/nfse.ts'
import { type TestCertificate, makeCertificate } from './nfse-certificates.ts'
import { type StandIn, nfseStandIn } from '#test/stand-ins/nfse.ts'

export const NOW = new Date('2026-11-20T18:00:00Z')

export type NfseWorld = {
  standIn: StandIn
  certificates: { authority: TestCertificate; server: TestCertificate; taxpayer: TestCertificate }
  client(more?: Partial<NfseOptions>): ReturnType<typeof createNfse>
  /** Starts a new server with the same state. */
  restart(): Promise<void>
  close(): Promise<void>
}

export function certificateOf({ keyPem, certificatePem }: TestCertificate): Certificate {
  const { subject, validFromDate: validFrom, validToDate: validTo } = new X509Certificate(certificatePem)
  return { keyPem, certificatePem, chainPem: certificatePem, subject, cnpj: null, validFrom, validTo }
}

export async function nfseWorld(): Promise<NfseWorld> {
  const authority = makeCertificate({ name: 'AC de Testes', isAuthority: true })
  const server = makeCertificate({ name: '127.0.0.1', issuer: authority })
  const taxpayer = makeCertificate({ name: 'TITULAR BRASIL LTDA:11222333000181', issuer: authority })
  const dataDir = await mkdtemp(join(tmpdir(), 'titular-nfse-'))
  const begin = () => nfseStandIn({ dataDir, server, authority, now: () => NOW })
  const clients: ReturnType<typeof createNfse>[] = []
  const own = certificateOf(taxpayer)
  const world: NfseWorld = {
    standIn: await begin(),
    certificates: { authority, server, taxpayer },
    client(more = {}) {
      const client = createNfse({
        baseUrl: world.standIn.url,
        environment: 'restricted',
        certificate: () => Promise.resolve(own),
        ca: authority.certificatePem,
        now: () => NOW,
        ...more,
      })
      clients.push(client)
      return client
    },
    async restart() {
      await world.standIn.close()
      world.standIn = await begin()
    },
    async close() {
      for (const client of clients) await client.close()
      await world.standIn.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return world
}
