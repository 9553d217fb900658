// Exports for tests: made by the worker, fetched by their link, and read.
import { gunzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

export type ExportedRow = { table: string; as: string; record: Record<string, unknown> }
export type ExportFile = { text: string; head: Record<string, unknown>; rows: ExportedRow[] }

export type ExportPaths = { request: string; link: (id: number) => string }
export const OF_PERSON: ExportPaths = { request: '/privacy/exports', link: (id) => `/privacy/exports/${id}/link` }
export const OF_ORGANIZATION: ExportPaths = {
  request: '/privacy/organization-exports',
  link: (id) => `/privacy/organization-exports/${id}/link`,
}

/** Requests an export, waits until it is made, and follows its link. */
export async function exported(app: TestApp, who: Speaker, paths: ExportPaths): Promise<ExportFile & { id: number }> {
  const asked = await who.post(paths.request)
  expect(asked.status, asked.raw.body).toBe(202)
  await app.service.worker.drain()
  const link = await who.post(paths.link(asked.data.id))
  expect(link.status, link.raw.body).toBe(200)
  return { id: asked.data.id, ...readExport(await follow(app, link.data.url)) }
}

export const follow = (app: TestApp, url: string): Promise<Answer> =>
  app.world.anonymous.get(new URL(url).pathname.replace('/api/v1', ''))

export function readExport(answer: Answer): ExportFile {
  expect(answer.status).toBe(200)
  const text = gunzipSync(answer.raw.rawPayload).toString()
  const [head, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { text, head, rows }
}

export const rowsOf = ({ rows }: ExportFile, table: string): Record<string, unknown>[] =>
  rows.filter((row) => row.table === table).map(({ record }) => record)
