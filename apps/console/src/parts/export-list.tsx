// A file of what a list shows, for staff: the same filters, made by the service, found under the exports.
import { adminCreateExport } from '@titular/sdk'
import { useNavigate } from '@tanstack/react-router'
import { usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import { isItem, type Item, type Records, textOf } from '../resources/resource.ts'
import { mayExport } from '../resources/export-sources.ts'
import { exportFormat } from '../resources/transfers.ts'
import { Acts } from './acts.tsx'

type ExportListProps = { here: Here; records: Records; filters: Item }

export function ExportList({ here, records, filters }: ExportListProps) {
  const { user, may } = usePerson()
  const navigate = useNavigate()
  const source = records.list.path.replace(/^\/admin\//, '')
  const { sort: _order, ...kept } = filters
  if (here.organization !== null || !mayExport(source, { id: user.id, may })) return null
  return (
    <Acts
      actions={[
        {
          name: 'exportList',
          operation: adminCreateExport,
          isMine: true,
          form: [exportFormat],
          body: { source, filters: kept },
        },
      ]}
      client={here.client}
      place={here}
      scope="any"
      record={{}}
      at={{}}
      onDone={(made) => isItem(made) && navigate({ to: `/all/exports/${textOf(made['id'])}` })}
    />
  )
}
