// The value of a flag from its text. Whether the value is right in other ways is for the service to say.
import { openAsBlob, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Field } from './command.ts'
import { UsageError } from './usage-error.ts'

export function valueOf(field: Field, shown: string, text: string): unknown {
  switch (field.kind) {
    case 'integer':
      if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`${shown} takes a whole number, not "${text}"`)
      return Number(text)
    case 'number':
      if (text.trim() === '' || !Number.isFinite(Number(text)))
        throw new UsageError(`${shown} takes a number, not "${text}"`)
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'any':
      return /^(true|false|-?\d{1,15}(\.\d+)?)$/.test(text) ? JSON.parse(text) : text
    case 'json':
    case 'map':
      return jsonOf(shown, text)
    case 'list':
      return text.startsWith('[') ? jsonOf(shown, text) : text
    case 'integers':
      return text.split(',').map((one) => valueOf({ ...field, kind: 'integer' }, shown, one.trim()))
    case 'text':
    case 'file':
      return text
  }
}

function jsonOf(shown: string, text: string): unknown {
  const source = text.startsWith('@') ? contentOf(text.slice(1)) : text
  try {
    const value: unknown = JSON.parse(source)
    return value
  } catch {
    throw new UsageError(`${shown} takes JSON: ${shown}='{"a":1}', or @FILE`)
  }
}

export async function dataOf(text: string, stdin: () => Promise<string>): Promise<unknown> {
  return jsonOf('--data', text === '-' || text === '@-' ? await stdin() : text)
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`There is no file ${path} that can be read`)
  }
}

const TYPES: { readonly [extension: string]: string } = {
  '.csv': 'text/csv',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
}

/** Read while it is sent. */
export async function fileOf(text: string): Promise<File> {
  const path = text.replace(/^@/, '')
  const isFile = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isFile) throw new UsageError(`There is no file ${path} that can be read`)
  const type = TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'
  return new File([await openAsBlob(path)], basename(path), { type })
}
