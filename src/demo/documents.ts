// The demo's document: provided by the vendor, in the language of the organization.
import { Readable } from 'node:stream'
import { uploadDocument } from '#modules/documents/documents/upload-document.ts'
import { receiveFile } from '#modules/documents/files/receive-upload.ts'
import type { Language } from '#texts/language.ts'
import { demoIo, type DemoService } from './demo-service.ts'

const GUIDES = {
  en: { fileName: 'Getting started.txt', text: 'Activate the license, then invite your colleagues.\n' },
  'pt-BR': { fileName: 'Primeiros passos.txt', text: 'Ative a licença e depois convide os colegas.\n' },
} as const satisfies Record<Language, object>

export async function demoDocument(service: DemoService, organizationId: number, language: Language): Promise<void> {
  const origin = service.origin()
  const { fileName, text } = GUIDES[language]
  const io = demoIo(service, organizationId)
  const received = await receiveFile(io, { fileName, stream: Readable.from([Buffer.from(text)]) })
  await service.transactions.inOrganization(organizationId, origin, (ctx) =>
    uploadDocument(ctx, { category: 'technical' }, received),
  )
}
