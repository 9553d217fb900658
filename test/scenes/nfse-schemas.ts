// Validates documents by the published schemas of the national NFS-e (test/fixtures/nfse-xsd).
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { validateXML } from 'xmllint-wasm'

export const SCHEMA_FOLDER = join(import.meta.dirname, '../fixtures/nfse-xsd')

// The set's own pattern has the letters of a CNPJ three places too early, so that it refuses valid keys.
const WRONG_KEY = '[0-9]{6}([0-9A-Z]{14})[0-9]{30}'
const RIGHT_KEY = '[0-9]{8}(1[0-9]{14}|2[0-9A-Z]{14})[0-9]{27}'

const schemas = readdirSync(SCHEMA_FOLDER)
  .filter((name) => name.endsWith('.xsd'))
  .map((fileName) => ({ fileName, contents: contentsOf(fileName) }))

function contentsOf(fileName: string): string {
  const text = readFileSync(join(SCHEMA_FOLDER, fileName), 'utf8').replace(/^\uFEFF/, '')
  if (fileName === 'tiposSimples_v1.01.xsd') expect(text, 'the correction is no longer needed').toContain(WRONG_KEY)
  return text.replace(WRONG_KEY, RIGHT_KEY)
}

export type SchemaName = 'DPS' | 'NFSe' | 'evento' | 'pedRegEvento'

/** Empty when the document is valid. */
export async function faultsOf(xml: string, name: SchemaName): Promise<string[]> {
  const schemaName = `${name}_v1.01.xsd`
  const { valid, errors, rawOutput } = await validateXML({
    xml: [{ fileName: 'it.xml', contents: xml }],
    schema: schemas.filter(({ fileName }) => fileName === schemaName),
    preload: schemas.filter(({ fileName }) => fileName !== schemaName),
  })
  // An unreadable schema must not be reported as a fault of the document.
  expect(valid || errors.length > 0, rawOutput).toBe(true)
  return errors.map(({ message }) => message)
}
