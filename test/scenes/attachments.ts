// A ticket to which files can be attached, and how its uploads are sent and counted.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '#test/harness/app.ts'
import { multipart } from '#test/harness/multipart.ts'
import type { Headers, Speaker } from '#test/harness/world.ts'
import { subjects } from './tickets.ts'

/** Of one file, in bytes. */
export const MAX = 200_000

export type AttachmentScene = Awaited<ReturnType<typeof attachmentScene>>

export async function attachmentScene() {
  const environment = { FILES_MAX_BYTES: String(MAX), FILES_QUOTA_COUNT: '1000' }
  const app = await startApp({ listens: true, environment })
  const acme = await app.world.organization()
  const other = await app.world.organization()
  const sold = await subjects(app, acme)
  const agent = await acme.member({ scopes: ['tickets'] })
  const open = async (): Promise<number> =>
    (await agent.post('/tickets', { title: 'See the file', entitlement_id: sold.hosting })).data.id
  const stored = async (): Promise<number> => {
    const names = await readdir(join(app.dataDir, 'files'), { recursive: true }).catch(() => [])
    return names.filter((name) => name.includes('/')).length
  }
  return { app, acme, other, sold, agent, open, stored, id: await open() }
}

type File = Parameters<typeof multipart>[0]

export function attach(
  by: Speaker,
  ticketId: number,
  file: File,
  fields: Record<string, string> = {},
  more: Headers = {},
) {
  const { body, headers } = multipart(file, fields)
  return by.post(`/tickets/${ticketId}/attachments`, body, { ...headers, ...more })
}
