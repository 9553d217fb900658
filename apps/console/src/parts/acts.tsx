// The buttons of what may be done with a record, and the dialog of the one that is open.
import { Button, Menu } from '@mantine/core'
import type { Titular } from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type Place, usePerson } from '../context.tsx'
import { type Action, isItem, type Item, textOf } from '../resources/resource.ts'

const Act = lazy(async () => ({ default: (await import('./act.tsx')).Act }))

/** Whether the person is offered the act there. */
export function useOffered(place: Place, scope: string): (action: Action, record: Item) => boolean {
  const { user, may, mayIn } = usePerson()
  const role = user.organizations.find(({ id }) => id === place.organization)?.role
  const isStaffs = (action: Action): boolean => may(`${action.scope ?? scope}:write`)
  return (action, record) =>
    (action.permission === undefined || may(action.permission)) &&
    (action.isMine === true ||
      action.permission !== undefined ||
      mayIn(place, action.scope ?? scope, action.isReading ? 'read' : 'write')) &&
    (action.isMembers !== true || role !== undefined) &&
    (action.isAdmins !== true || role === 'owner' || role === 'admin' || isStaffs(action)) &&
    (action.isOwners !== true || role === 'owner' || isStaffs(action)) &&
    (action.isOffered?.(record, { id: user.id, may }) ?? true)
}

type ActsProps = {
  actions: readonly Action[]
  client: Titular
  place: Place
  scope: string
  record: Item
  at: Item
  /** Of the record, so that nobody overwrites what they have not seen. */
  etag?: string | null | undefined
  size?: 'xs' | 'sm'
  /** Several stand behind one button, as at the end of a row. */
  isMenu?: true
  onDone?: (made: unknown, action: Action) => unknown
}

export function Acts(props: ActsProps) {
  const { actions, client, place, scope, record, at, etag, size = 'sm', isMenu, onDone } = props
  const { texts } = usePerson()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [acting, setActing] = useState<Action | null>(null)
  const isOffered = useOffered(place, scope)
  const offered = actions.filter((action) => isOffered(action, record))
  return (
    <>
      {isMenu && offered.length > 1 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size={size} variant="default">
              {texts.act.menu} ▾
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offered.map((action) => (
              <Menu.Item
                key={action.name}
                aria-haspopup="dialog"
                {...(action.isDangerous && { color: 'red' })}
                onClick={() => setActing(action)}
              >
                {texts.actions[action.name]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {(!isMenu || offered.length === 1) &&
        offered.map((action) => (
          <Button
            key={action.name}
            size={size}
            aria-haspopup="dialog"
            variant={action.isMain ? 'filled' : 'default'}
            {...(action.isDangerous && (action.isMain ? { color: 'red' } : { c: 'red' }))}
            onClick={() => setActing(action)}
          >
            {texts.actions[action.name]}
          </Button>
        ))}
      {acting && (
        <Suspense>
          <Act
            action={acting}
            client={client}
            record={record}
            at={at}
            place={place}
            etag={etag ?? null}
            onClose={() => setActing(null)}
            onDone={(made) => {
              setActing(null)
              if (acting.opens && isItem(made))
                void navigate({
                  to: `${pathOf(place)}/${acting.opens}/${textOf(made['id'] ?? made['refund_id'] ?? made['order_id'])}`,
                })
              // What is left behind is not asked for again.
              void Promise.resolve(onDone?.(made, acting)).then(() => queries.invalidateQueries())
            }}
          />
        </Suspense>
      )}
    </>
  )
}

const pathOf = ({ organization }: Place): string => (organization === null ? '/all' : `/o/${organization}`)
