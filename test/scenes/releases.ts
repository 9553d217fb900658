// Products and their releases for tests, as staff make them.
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { multipart } from '#test/harness/multipart.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

type Data = Answer['data']

/** A product with a name of its own, so that no other test's entitlements cover it. */
export async function product(at: Organization, more: object = {}): Promise<Data> {
  const unique = randomBytes(4).toString('hex')
  const body = { sku: `SKU-${unique}`, name: `Backup ${unique}`, entitlement_class: 'PLG', ...more }
  return made(await at.staff.post('/admin/products', body))
}

export async function draft(at: Organization, product_id: number, more: object = {}): Promise<Data> {
  return made(await at.staff.post('/downloads', { product_id, version: '1.0.0', ...more }))
}

type NewFile = {
  fileName?: string
  content?: Buffer | string
  platform?: string
  architecture?: string
  signature?: string
}

export function upload(at: Organization, id: number, more: NewFile = {}): Promise<Answer> {
  const { fileName = 'backup.zip', content = 'PK\u0003\u0004 bytes', ...rest } = more
  const { body, headers } = multipart({ fileName, content }, { platform: 'any', architecture: 'any', ...rest })
  return at.staff.post(`/downloads/${id}/files`, body, headers)
}

/** A published release, with one file unless others are given. */
export async function release(
  at: Organization,
  product_id: number,
  { files = [{}], ...more }: { files?: NewFile[] } & Record<string, unknown> = {},
): Promise<Data> {
  const { id } = await draft(at, product_id, more)
  for (const file of files) made(await upload(at, id, file))
  const published = await at.staff.post(`/downloads/${id}/publish`)
  expect(published.status, published.raw.body).toBe(200)
  return published.data
}

function made(answer: Answer): Data {
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data
}
