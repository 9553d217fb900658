// The registry over real HTTP, with a stand-in that answers, refuses, hangs and cuts connections.

import { afterEach, describe, expect, it } from 'vitest'
import type { CompanyRegistry } from '#ports/company-registry.ts'
import { companyRegistryContract } from '#ports/company-registry.contract.ts'
import { until } from '#test/harness/until.ts'
import {
  type Answer,
  cutOff,
  hang,
  hangInBody,
  json,
  lookupSource,
  type LookupSource,
} from '#test/stand-ins/lookup-source.ts'
import { createBrasilapi } from './brasilapi.ts'
import type { LookupOptions } from './lookup.ts'

const CNPJ = '12ABC34501DE35'
const COMPANY = { cnpj: CNPJ, razao_social: 'ACME LTDA', situacao_cadastral: 2, qsa: [{ nome_socio: 'NINGUÉM' }] }

const cleanup: (() => Promise<unknown> | void)[] = []

afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step()
})

async function source(...answers: [Answer, ...Answer[]]): Promise<LookupSource> {
  const opened = await lookupSource('/api/cnpj/v1', answers)
  cleanup.push(opened.close)
  return opened
}

function registry(baseUrls: string[], more: Partial<LookupOptions> = {}): CompanyRegistry {
  const adapter = createBrasilapi({ baseUrls, timeoutMs: 60_000, loopback: true, ...more })
  cleanup.push(() => adapter.close())
  return adapter
}

companyRegistryContract('BrasilAPI', true, async (situation, cnpj) => {
  const answer = { 'knows it': json(200, { ...COMPANY, cnpj }), 'does not know it': json(404, {}), 'is away': cutOff }
  return registry([(await source(answer[situation])).url])
})

describe('a company registry', () => {
  it('gives the legal name of an active company, and nothing about its partners', async () => {
    const { url, paths } = await source(json(200, COMPANY))
    expect(await registry([`${url}/`]).find(CNPJ)).toEqual({
      outcome: 'found',
      legalName: 'ACME LTDA',
      status: 'active',
    })
    expect(paths).toEqual([`/api/cnpj/v1/${CNPJ}`])
  })

  it.each([1, 3, 4, 8])('gives inactive for a company in state %d', async (state) => {
    const { url } = await source(json(200, { ...COMPANY, situacao_cadastral: state }))
    expect(await registry([url]).find(CNPJ)).toMatchObject({ outcome: 'found', status: 'inactive' })
  })

  it('reads a masked number in the answer', async () => {
    const { url } = await source(json(200, { ...COMPANY, cnpj: '12.ABC.345/01DE-35' }))
    expect(await registry([url]).find(CNPJ)).toMatchObject({ outcome: 'found' })
  })

  it('asks once for a company that it has found', async () => {
    const { url, paths } = await source(json(200, COMPANY))
    const adapter = registry([url])
    await adapter.find(CNPJ)
    expect(await adapter.find(CNPJ)).toMatchObject({ outcome: 'found' })
    expect(paths).toHaveLength(1)
  })

  it('asks again when the cached answer is too old', async () => {
    const { url, paths } = await source(json(200, COMPANY))
    const adapter = registry([url], { cacheMs: 1 })
    await adapter.find(CNPJ)
    expect(
      await until(
        () => adapter.find(CNPJ).then(() => paths.length),
        (count) => count > 1,
      ),
    ).toBeGreaterThan(1)
  })

  it('gives not_found for 404, without caching it or asking the next source', async () => {
    const first = await source(json(404, { message: 'não encontrado' }))
    const second = await source(json(200, COMPANY))
    const adapter = registry([first.url, second.url])
    expect(await adapter.find(CNPJ)).toEqual({ outcome: 'not_found' })
    expect(await adapter.find(CNPJ)).toEqual({ outcome: 'not_found' })
    expect([first.paths.length, second.paths.length]).toEqual([2, 0])
  })

  it('tries once more after a 500', async () => {
    const { url, paths } = await source(json(500, {}), json(200, COMPANY))
    expect(await registry([url]).find(CNPJ)).toMatchObject({ outcome: 'found' })
    expect(paths).toHaveLength(2)
  })

  it('tries once more after a cut connection', async () => {
    const { url, paths } = await source(cutOff, json(200, COMPANY))
    expect(await registry([url]).find(CNPJ)).toMatchObject({ outcome: 'found' })
    expect(paths).toHaveLength(2)
  })

  it('is unavailable after two 500s', async () => {
    const { url, paths } = await source(json(500, {}))
    expect(await registry([url]).find(CNPJ)).toEqual({ outcome: 'unavailable' })
    expect(paths).toHaveLength(2)
  })

  it.each<[string, Answer]>([
    ['breaks off', cutOff],
    ['answers 400', json(400, { message: 'CNPJ inválido.' })],
    ['answers 429', json(429, {})],
    ['answers something else', json(200, { status: 'ERROR' })],
    ['answers about another company', json(200, { ...COMPANY, cnpj: '11222333000181' })],
    ['answers a name with control characters', json(200, { ...COMPANY, razao_social: 'ACME\u0000' })],
    ['answers no JSON', (_request, response) => void response.end('<html>')],
    [
      'answers too much',
      (_request, response) => void response.end(JSON.stringify({ ...COMPANY, x: 'y'.repeat(2 ** 20) })),
    ],
  ])('is unavailable when the only source %s', async (_what, answer) => {
    const { url } = await source(answer)
    expect(await registry([url]).find(CNPJ)).toEqual({ outcome: 'unavailable' })
  })

  it.each<[string, Answer]>([
    ['hangs', hang],
    ['hangs in the middle', hangInBody],
  ])('is unavailable when the only source %s', async (_what, answer) => {
    const { url } = await source(answer)
    expect(await registry([url], { timeoutMs: 400 }).find(CNPJ)).toEqual({ outcome: 'unavailable' })
  })

  it('asks no address of this machine or its network unless the loopback is allowed', async () => {
    const { url, paths } = await source(json(200, COMPANY))
    for (const baseUrl of [url, url.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/latest'])
      expect(await registry([baseUrl], { loopback: false }).find(CNPJ)).toEqual({ outcome: 'unavailable' })
    expect(paths).toEqual([])
  })

  it('follows no redirect', async () => {
    const target = await source(json(200, COMPANY))
    const { url } = await source((_request, response) => {
      response.writeHead(302, { location: `${target.url}/${CNPJ}` }).end()
    })
    expect(await registry([url]).find(CNPJ)).toEqual({ outcome: 'unavailable' })
    expect(target.paths).toHaveLength(0)
  })

  it.each<[string, Answer]>([
    ['fails', json(500, {})],
    ['has enough of us', json(429, {})],
    ['does not know letters', json(400, {})],
  ])('asks the next source when the first %s', async (_what, answer) => {
    const first = await source(answer)
    const second = await source(json(200, COMPANY))
    expect(await registry([first.url, second.url]).find(CNPJ)).toMatchObject({ outcome: 'found' })
  })

  it('asks the next source when the first hangs', async () => {
    const first = await source(hang)
    const second = await source(json(200, COMPANY))
    // The limit is per source, and long enough for the second to answer on a busy machine.
    const adapter = registry([first.url, second.url], { timeoutMs: 3000 })
    expect(await adapter.find(CNPJ)).toMatchObject({ outcome: 'found' })
  })

  it('is unavailable when the port is closed', async () => {
    expect(await registry(['http://127.0.0.1:9']).find(CNPJ)).toEqual({ outcome: 'unavailable' })
  })

  it('asks a few at a time, and is unavailable for more than can wait', async () => {
    let open = 0
    let most = 0
    const { url } = await source((_request, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        response.writeHead(404).end()
      }, 20)
    })
    const adapter = registry([url], { concurrency: 2 })
    const answers = await Promise.all(Array.from({ length: 14 }, () => adapter.find(CNPJ)))
    expect(most).toBe(2)
    expect(answers.filter(({ outcome }) => outcome === 'not_found')).toHaveLength(10)
    expect(answers.filter(({ outcome }) => outcome === 'unavailable')).toHaveLength(4)
  })
})
