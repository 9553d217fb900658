// Lists under a name, such as "mine": links, since what a list shows is its address.
import { Button, Group } from '@mantine/core'
import { usePerson } from '../context.tsx'
import type { Resource } from '../resources/resource.ts'
import type { Search } from './list.tsx'

type ViewsProps = { views: NonNullable<Resource['views']>; search: Search; onSearch: (search: Search) => void }

export function Views({ views, search, onSearch }: ViewsProps) {
  const { texts, user } = usePerson()
  if (views.length === 0) return null
  const { page: _page, columns, ...shown } = search
  return (
    <Group gap="xs" component="nav" aria-label={texts.views.label}>
      {views.map((view) => {
        const wanted = view.search(user.id)
        const isCurrent =
          Object.keys(shown).length === Object.keys(wanted).length &&
          Object.entries(wanted).every(([name, value]) => String(shown[name]) === String(value))
        return (
          <Button
            key={view.name}
            variant={isCurrent ? 'filled' : 'default'}
            aria-pressed={isCurrent}
            onClick={() => onSearch({ ...(isCurrent ? {} : wanted), columns })}
          >
            {texts.views[view.name]}
          </Button>
        )
      })}
    </Group>
  )
}
