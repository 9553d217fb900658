// Documents: uploads as clients send them.
import { multipart } from '#test/harness/multipart.ts'
import type { Answer, Headers, Speaker } from '#test/harness/world.ts'

type File = Parameters<typeof multipart>[0]
type Fields = Record<string, string>

export function upload(by: Speaker, file: File, fields: Fields = {}, more: Headers = {}): Promise<Answer> {
  const { body, headers } = multipart(file, fields)
  return by.post('/documents', body, { ...headers, ...more })
}

export function nextVersion(by: Speaker, id: number, file: File): Promise<Answer> {
  const { body, headers } = multipart(file)
  return by.post(`/documents/${id}/versions`, body, headers)
}

/** A text file with this name and content, uploaded. */
export async function documentOf(by: Speaker, name = 'plan.txt', fields: Fields = {}): Promise<number> {
  const { data, status, raw } = await upload(by, { fileName: name, content: `content of ${name}` }, fields)
  if (status !== 201) throw new Error(raw.body)
  return data.id
}
