// Every fixture, signed, against the published schemas: NFSE_XSD_DIR names the folder of version 1.01.
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { CASES, LETTERS, PROFILE, PROVIDER, declaration } from '../../../test/nfse-fixtures.ts'
import { NOW, type NfseWorld, nfseWorld } from '../../../test/nfse-world.ts'
import { packed, unpacked } from './packing.ts'

const folder = process.env['NFSE_XSD_DIR'] ?? ''

// The set's own pattern has the letters of a CNPJ three places too early, so that it refuses right keys.
const WRONG_KEY = '[0-9]{6}([0-9A-Z]{14})[0-9]{30}'
const RIGHT_KEY = '[0-9]{8}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{27}'

let schemas: { fileName: string; contents: string }[]
let world: NfseWorld
beforeAll(async () => {
  if (folder === '') return
  const names = (await readdir(folder)).filter((name) => name.endsWith('.xsd'))
  schemas = await Promise.all(
    names.map(async (fileName) => ({
      fileName,
      contents: (await readFile(join(folder, fileName), 'utf8')).replace(/^\uFEFF/, '').replace(WRONG_KEY, RIGHT_KEY),
    })),
  )
  world = await nfseWorld()
})
afterAll(() => world?.close())

async function faultsOf(xml: string, schemaName: string): Promise<string[]> {
  const schema = schemas.filter(({ fileName }) => fileName === schemaName)
  const preload = schemas.filter(({ fileName }) => fileName !== schemaName)
  const { valid, errors, rawOutput } = await validateXML({
    xml: [{ fileName: 'it.xml', contents: xml }],
    schema,
    preload,
  })
  expect(valid || errors.length > 0, rawOutput).toBe(true)
  return errors.map(({ message }) => message)
}

describe.skipIf(folder === '')('the published schemas (NFSE_XSD_DIR)', () => {
  it('notice a wrong document', async () => {
    const { xml } = await world.client().prepare(declaration(), PROFILE)
    expect(await faultsOf(xml.replace('<serie>1</serie>', '<serie>X</serie>'), 'DPS_v1.01.xsd')).not.toEqual([])
    expect(await faultsOf(xml.replace(/<cLocEmi>\d+<\/cLocEmi>/, ''), 'DPS_v1.01.xsd')).not.toEqual([])
  })

  it.each(Object.keys(CASES))('take the declaration of %s', async (name) => {
    const [given, profile] = CASES[name] ?? [declaration(), PROFILE]
    for (const signature of ['sha256', 'sha1'] as const) {
      const { xml } = await world.client({ signature }).prepare(given, profile)
      expect(await faultsOf(xml, 'DPS_v1.01.xsd')).toEqual([])
    }
  })

  it.each([PROVIDER, LETTERS])('take what the sandbox issues and cancels for $taxId', async (provider) => {
    const client = world.client()
    const issued = await client.issue(await client.prepare(declaration({ provider }), PROFILE))
    if (issued.outcome !== 'issued') throw new Error(JSON.stringify(issued))
    expect(await faultsOf(issued.xml, 'NFSe_v1.01.xsd')).toEqual([])
    const { accessKey } = issued
    const cancelled = await client.cancel({
      accessKey,
      provider,
      at: NOW,
      reasonCode: '1',
      reason: 'Emitida em duplicidade',
    })
    if (cancelled.outcome !== 'cancelled') throw new Error(JSON.stringify(cancelled))
    expect(await faultsOf(cancelled.xml, 'evento_v1.01.xsd')).toEqual([])
    const sent: { pedidoRegistroEventoXmlGZipB64?: string } = JSON.parse(world.standIn.bodies.at(-1) ?? '')
    const request = unpacked(sent.pedidoRegistroEventoXmlGZipB64 ?? '') ?? ''
    expect(await faultsOf(request, 'pedRegEvento_v1.01.xsd')).toEqual([])
  })
})

describe('documents on the wire', () => {
  it('come back as they went, and a bomb does not go off', () => {
    expect(unpacked(packed('<x>é😀</x>'))).toBe('<x>é😀</x>')
    expect(unpacked(Buffer.from(packed('<x/>')).toString('base64'))).toBe('<x/>')
    expect(unpacked(packed(' '.repeat(512 * 1024)))).not.toBeNull()
    for (const mebibytes of [1, 5]) expect(unpacked(packed(' '.repeat(mebibytes * 1024 * 1024)))).toBeNull()
    for (const garbage of ['', 'no', '<x/>', '////', 'H4sIAAAA']) expect(unpacked(garbage), garbage).toBeNull()
  })
})
