// GET …/pdf of a record: the archived bytes of its final version, else a document that is rendered now.
import { ownBytes } from '#modules/documents/files/own-bytes.ts'
import { PDF } from './parties.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import type { FileAnswer } from '#http/features/file-bodies.ts'
import { both, parts, type ReadContext } from '#http/route.ts'
import type { ArchivedDocument } from './archived-document.ts'
import { factsAsOf, factsOf, type Archivable } from './archive-document.ts'
import { archivedDocuments } from './queries.ts'

type DocumentSource<Facts> = { facts: Facts; archived: ArchivedDocument[] }

/** For `fileRoute({ …, ...served(archivable) })`: reads facts and archived documents in one round trip. */
export const served = <Facts>(archivable: Archivable<Facts>) => ({
  contentType: PDF,
  read: ({ org }: ReadContext, { params }: { params: { id: number } }) =>
    both(
      archivable.facts(org, params.id),
      parts([archivedDocuments.of(org, archivable.resource, params.id)], ([archived]) => archived),
      (facts, archived): DocumentSource<Facts> => ({ facts, archived }),
    ),
  make: async (io: IoContext, { facts, archived }: DocumentSource<Facts>): Promise<FileAnswer> => {
    const version = archivable.version(facts)
    const language = archivable.language(io, facts)
    const kept = archived.find((one) => one.version === version && one.language === language)
    if (!kept) return archivable.make(io, factsAsOf(archivable, facts, version))
    const content = await ownBytes(io, kept)
    return { content, contentType: PDF, fileName: kept.file_name, sha256: kept.sha256 }
  },
})

/** The same where a token, not the caller, names the organization; `io` is bound to it. */
export async function serveWithin<Facts>(
  io: IoContext,
  archivable: Archivable<Facts>,
  id: number,
): Promise<FileAnswer> {
  const found = await factsOf(io, archivable, id)
  if (!found) throw notFound()
  const archived = await io.read(archivedDocuments.of(io.organizationId ?? 0, archivable.resource, id))
  return served(archivable).make(io, { facts: found.facts, archived })
}
