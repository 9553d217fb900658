// Writes src/generated from openapi.json: the index of all commands, and a file for each area, so that a command reads
// two small files.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Document, operationLines, operationsIn } from '../../sdk/scripts/document.ts'
import type { Command, Index } from '../src/command.ts'
import { bodyOf, headersOf, parametersIn } from './fields.ts'
import { verbOf } from './verbs.ts'

const PACKAGE = join(import.meta.dirname, '..')
const DOCUMENT = join(PACKAGE, '../../openapi.json')

const areaOf = ({ tags }: { tags: readonly string[] }): string => tags[0] ?? ''

export function commandsOf(document: Document): Command[] {
  const values = new Map(operationLines(document).map(({ value }) => [value.id, value]))
  const areas = new Set(operationsIn(document).map(({ operation }) => areaOf(operation)))
  return operationsIn(document).map(({ path, operation }) => {
    const area = areaOf(operation)
    const value = values.get(operation.operationId)
    if (!value) throw new Error(`no operation ${operation.operationId}`)
    const headers = headersOf(document, operation)
    return {
      area,
      verb: verbOf(value.id, path, area, areas),
      summary: operation.summary,
      about: operation.description ?? '',
      operation: value as Command['operation'],
      path: parametersIn(document, operation, 'path').map((field) => ({ ...field, required: true as const })),
      query: parametersIn(document, operation, 'query'),
      ...bodyOf(document, operation),
      ...(headers.has('X-Reason') && { reason: true as const }),
      ...(headers.has('If-Match') && { ifMatch: true as const }),
    }
  })
}

export async function generate(directory = join(PACKAGE, 'src/generated')): Promise<void> {
  const document: Document & { tags?: { name: string; description: string }[] } = JSON.parse(
    await readFile(DOCUMENT, 'utf8'),
  )
  const { version }: { version: string } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const commands = commandsOf(document)
  const index: Index = { version, areas: {} }
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  for (const [area, own] of Map.groupBy(commands, (one) => one.area)) {
    const about = document.tags?.find((one) => one.name === area)?.description ?? ''
    index.areas[area] = { about, verbs: Object.fromEntries(own.map(({ verb, summary }) => [verb, summary])) }
    await writeFile(join(directory, `${area}.json`), JSON.stringify(own))
  }
  await writeFile(join(directory, 'index.json'), JSON.stringify(index))
}

if (import.meta.main) await generate()
