// Postal codes over real HTTP; how sources are asked, and what they do wrong, is in brasilapi.test.ts.

import { afterEach, describe, expect, it } from 'vitest'
import { postalCodesContract } from '#ports/postal-codes.contract.ts'
import type { PostalCodes } from '#ports/postal-codes.ts'
import { type Answer, cutOff, hang, json, lookupSource, type LookupSource } from '#test/stand-ins/lookup-source.ts'
import type { LookupOptions } from './lookup.ts'
import { createPostalCodes } from './postal-codes.ts'

const CEP = '01310100'
const ADDRESS = {
  cep: CEP,
  state: 'SP',
  city: 'São Paulo',
  neighborhood: 'Bela Vista',
  street: 'Avenida Paulista',
  service: 'open-cep',
  location: { type: 'Point', coordinates: {} },
}
const FOUND = {
  outcome: 'found',
  street: 'Avenida Paulista',
  neighborhood: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
}
const UNKNOWN = { name: 'CepPromiseError', message: 'Todos os serviços de CEP retornaram erro.', type: 'service_error' }

const cleanup: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const step of cleanup.splice(0).toReversed()) await step()
})

async function source(...answers: [Answer, ...Answer[]]): Promise<LookupSource> {
  const opened = await lookupSource('/api/cep/v2', answers)
  cleanup.push(opened.close)
  return opened
}

function codes(baseUrls: string[], more: Partial<LookupOptions> = {}): PostalCodes {
  const adapter = createPostalCodes({ baseUrls, timeoutMs: 60_000, loopback: true, ...more })
  cleanup.push(() => adapter.close())
  return adapter
}

postalCodesContract('BrasilAPI', true, async (situation, cep) => {
  const answer = {
    'knows it': json(200, { ...ADDRESS, cep }),
    'knows its town': json(200, { ...ADDRESS, cep, street: null, neighborhood: '' }),
    'does not know it': json(404, UNKNOWN),
    'is away': cutOff,
  }
  return codes([(await source(answer[situation])).url])
})

describe('postal codes', () => {
  it('are asked for once, behind the address', async () => {
    const { url, paths } = await source(json(200, ADDRESS))
    const adapter = codes([`${url}/`])
    expect(await adapter.find(CEP)).toEqual(FOUND)
    expect(await adapter.find(CEP)).toEqual(FOUND)
    expect(paths).toEqual([`/api/cep/v2/${CEP}`])
  })

  it('are read with a hyphen too, and without street and neighborhood where the answer leaves them out', async () => {
    const { street: _street, neighborhood: _neighborhood, ...town } = ADDRESS
    const { url } = await source(json(200, { ...town, cep: '01310-100' }))
    expect(await codes([url]).find(CEP)).toEqual({ ...FOUND, street: null, neighborhood: null })
  })

  it('give text that can be stored', async () => {
    const { url } = await source(json(200, { ...ADDRESS, street: ' Rua \ud800 ' }))
    expect(await codes([url]).find(CEP)).toEqual({ ...FOUND, street: 'Rua \ufffd' })
  })

  it.each<[string, unknown]>([
    ['of another code', { ...ADDRESS, cep: '01310200' }],
    ['without a city', { ...ADDRESS, city: null }],
    ['of a blank city', { ...ADDRESS, city: ' ' }],
    ['of a state by its name', { ...ADDRESS, state: 'São Paulo' }],
    ['with control characters', { ...ADDRESS, street: 'Avenida\u0000' }],
    ['too long for an organization', { ...ADDRESS, street: 'x'.repeat(256) }],
    ['with another type', { ...ADDRESS, neighborhood: ['Bela Vista'] }],
  ])('are unavailable when the only answer is an address %s', async (_what, body) => {
    const { url } = await source(json(200, body))
    expect(await codes([url]).find(CEP)).toEqual({ outcome: 'unavailable' })
  })

  it('are unavailable when the only source calls the code malformed, or hangs', async () => {
    const refuses = await source(json(400, { ...UNKNOWN, type: 'validation_error' }))
    expect(await codes([refuses.url]).find(CEP)).toEqual({ outcome: 'unavailable' })
    const hangs = await source(hang)
    expect(await codes([hangs.url], { timeoutMs: 400 }).find(CEP)).toEqual({ outcome: 'unavailable' })
  })

  it('are asked of no address of this machine unless the loopback is allowed', async () => {
    const { url, paths } = await source(json(200, ADDRESS))
    expect(await codes([url], { loopback: false }).find(CEP)).toEqual({ outcome: 'unavailable' })
    expect(paths).toEqual([])
  })
})
