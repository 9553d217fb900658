// The papers of several records, saved as one file. Those that came before it was stopped are in it.
import { Text } from '@mantine/core'
import { zipSync } from 'fflate'
import { useRef } from 'react'
import { useOwnTexts, usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import type { Item, Paper, Resource } from '../resources/resource.ts'
import { ownTexts } from '../texts/texts.ts'
import { save } from './save.ts'
import { type OneOfSeveral, useSeveral } from './several.ts'
import { SeveralDialog } from './several-dialog.tsx'

type BulkPapersProps = {
  paper: Paper
  resource: Resource
  here: Here
  records: readonly Item[]
  onClose: () => void
}

export function BulkPapers({ paper, resource, here, records, onClose }: BulkPapersProps) {
  const { texts } = usePerson()
  const own = useOwnTexts(TEXTS)
  const files = useRef<Record<string, Uint8Array>>({})

  async function send({ key, place }: OneOfSeveral): Promise<void> {
    const at = { [resource.keyName ?? 'id']: key, ...paper.parameters }
    const file = await place.client.download(paper.operation, at)
    const name = file.fileName ?? key
    const bytes = await file.bytes()
    // Two organizations may have files of the same name.
    files.current[name in files.current ? `${key}-${name}` : name] = bytes
  }
  const several = useSeveral({
    name: texts.actions[paper.name],
    resource,
    here,
    records,
    isOffered: (record) => paper.isOffered?.(record) ?? true,
    isOfOrganization: true,
  })
  async function start(): Promise<void> {
    await several.run(send)
    if (Object.keys(files.current).length > 0)
      // PDFs are compressed already.
      save(new Blob([zipSync(files.current, { level: 0 })]), `${texts.resources[resource.name]}.zip`)
  }
  return (
    <SeveralDialog several={several} onStart={start} onClose={onClose}>
      <Text>{own.lead}</Text>
    </SeveralDialog>
  )
}

const TEXTS = ownTexts({
  en: { lead: 'They come as one file (ZIP), once all are there or you stop.' },
  'pt-BR': { lead: 'Eles vêm em um só arquivo (ZIP), quando todos estiverem prontos ou você parar.' },
})
