// Every signed fixture against the published schemas of version 1.01.
import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CASES, LETTERS, PROFILE, PROVIDER, declaration } from '#test/scenes/nfse-fixtures.ts'
import { faultsOf, SCHEMA_FOLDER } from '#test/scenes/nfse-schemas.ts'
import { NOW, type NfseWorld, nfseWorld } from '#test/scenes/nfse-world.ts'
import { packed, unpacked } from './packing.ts'

let world: NfseWorld
beforeAll(async () => void (world = await nfseWorld()))
afterAll(() => world.close())

it('the schemas are unchanged since their publication', async () => {
  const sums = await readFile(join(SCHEMA_FOLDER, 'SHA256SUMS'), 'utf8')
  const names = (await readdir(SCHEMA_FOLDER)).filter((name) => name.endsWith('.xsd'))
  const lines = names.toSorted().map(async (name) => {
    const content = await readFile(join(SCHEMA_FOLDER, name))
    return `${createHash('sha256').update(content).digest('hex')}  ${name}`
  })
  expect((await Promise.all(lines)).toSorted()).toEqual(sums.trim().split('\n').toSorted())
})

describe('the published schemas', () => {
  it('reject a wrong document', async () => {
    const { xml } = await world.client().prepare(declaration(), PROFILE)
    expect(await faultsOf(xml.replace('<serie>1</serie>', '<serie>X</serie>'), 'DPS')).not.toEqual([])
    expect(await faultsOf(xml.replace(/<cLocEmi>\d+<\/cLocEmi>/, ''), 'DPS')).not.toEqual([])
  })

  it.each(Object.keys(CASES))('accept the declaration of %s', async (name) => {
    const [given, profile] = CASES[name] ?? [declaration(), PROFILE]
    for (const signature of ['sha256', 'sha1'] as const) {
      const { xml } = await world.client({ signature }).prepare(given, profile)
      expect(await faultsOf(xml, 'DPS')).toEqual([])
    }
  })

  it.each([PROVIDER, LETTERS])('accept what the sandbox issues and cancels for $taxId', async (provider) => {
    const client = world.client()
    const issued = await client.issue(await client.prepare(declaration({ provider }), PROFILE))
    if (issued.outcome !== 'issued') throw new Error(JSON.stringify(issued))
    expect(await faultsOf(issued.xml, 'NFSe')).toEqual([])
    const { accessKey } = issued
    const cancelled = await client.cancel({
      accessKey,
      provider,
      at: NOW,
      reasonCode: '1',
      reason: 'Emitida em duplicidade',
    })
    if (cancelled.outcome !== 'cancelled') throw new Error(JSON.stringify(cancelled))
    expect(await faultsOf(cancelled.xml, 'evento')).toEqual([])
    const sent: { pedidoRegistroEventoXmlGZipB64?: string } = JSON.parse(world.standIn.bodies.at(-1) ?? '')
    const request = unpacked(sent.pedidoRegistroEventoXmlGZipB64 ?? '') ?? ''
    expect(await faultsOf(request, 'pedRegEvento')).toEqual([])
  })
})

describe('packed documents', () => {
  it('are unpacked as they were packed, and too large ones are not', () => {
    expect(unpacked(packed('<x>é😀</x>'))).toBe('<x>é😀</x>')
    expect(unpacked(Buffer.from(packed('<x/>')).toString('base64'))).toBe('<x/>')
    expect(unpacked(packed(' '.repeat(512 * 1024)))).not.toBeNull()
    for (const mebibytes of [1, 5]) expect(unpacked(packed(' '.repeat(mebibytes * 1024 * 1024)))).toBeNull()
    for (const garbage of ['', 'no', '<x/>', '////', 'H4sIAAAA']) expect(unpacked(garbage), garbage).toBeNull()
  })
})
