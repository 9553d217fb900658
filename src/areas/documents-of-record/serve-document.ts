// GET …/pdf of a record whose final documents are filed: the filed bytes of its version, else drawn now.
import { ownBytes } from '#areas/files/own-bytes.ts'
import { PDF } from './parties.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { FileAnswer } from '#kernel/http/file-bodies.ts'
import { parts, type ReadContext, type ReadPlan } from '#kernel/http/route.ts'
import type { ArchivedDocument } from './archived-document.ts'
import { factsAsOf, type Archivable } from './archive-document.ts'
import { archivedDocuments } from './queries.ts'

type Kept<Facts> = { facts: Facts; filed: ArchivedDocument[] }

/** For `fileRoute({ …, ...served(archivable) })`: facts and filed documents in one round trip. */
export const served = <Facts>(archivable: Archivable<Facts>) => ({
  contentType: PDF,
  read: ({ org }: ReadContext, { params }: { params: { id: number } }) =>
    withArchived(
      archivable.facts(org, params.id),
      parts([archivedDocuments.of(org, archivable.resource, params.id)], ([filed]) => filed),
    ),
  make: async (outside: IoContext, { facts, filed }: Kept<Facts>): Promise<FileAnswer> => {
    const version = archivable.version(facts)
    const language = archivable.language(outside, facts)
    const kept = filed.find((one) => one.version === version && one.language === language)
    if (!kept) return archivable.make(outside, factsAsOf(archivable, facts, version))
    const content = await ownBytes(outside, kept)
    return { content, contentType: PDF, fileName: kept.file_name, sha256: kept.sha256 }
  },
})

function withArchived<Facts>(plan: ReadPlan<Facts>, filed: ReadPlan<ArchivedDocument[]>): ReadPlan<Kept<Facts>> {
  if (plan.kind !== 'parts' || filed.kind !== 'parts') throw new Error('the facts of a document are made of parts')
  return {
    kind: 'parts',
    statements: [...plan.statements, ...filed.statements],
    shape: (found, reader) => ({
      facts: plan.shape(found.slice(0, -1), reader),
      filed: filed.shape(found.slice(-1), reader),
    }),
  }
}
