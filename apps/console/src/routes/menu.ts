// What the menu offers: what the person may see where they are.
import type { usePerson } from '../context.tsx'
import type { Here } from '../place.ts'
import { DIRECTORY } from '../resources/directory.ts'
import { SCREENS } from '../screens.ts'
import type { Texts } from '../texts/en.ts'

export type Entry = { to: string; label: string; group: keyof Texts['groups'] }

export function entriesOf(person: ReturnType<typeof usePerson>, here: Here): readonly Entry[] {
  const { texts, user, isStaff, may, mayIn } = person
  const membership = user.organizations.find(({ id }) => id === here.organization)
  const isSeen = (scope: string | undefined, staffScope = scope): boolean =>
    scope === undefined || here.place === 'me' || mayIn(here, membership ? scope : (staffScope ?? scope), 'read')
  const isOwner = isStaff || membership?.role === 'owner'
  const kinds = DIRECTORY.filter(
    (one) =>
      one.places[here.place] !== undefined && isSeen(one.scope, one.staffScope) && (one.isOwners !== true || isOwner),
  )
  const screens = SCREENS.filter(
    ({ place, isHidden, scope, permission }) =>
      place === here.place && !isHidden && isSeen(scope) && (permission === undefined || may(permission)),
  )
  return [
    ...kinds.map(({ name, group }) => ({ to: `${here.path}/${name}`, label: texts.resources[name], group })),
    ...screens.map(({ name, group }) => ({ to: `${here.path}/${name}`, label: texts.screens[name], group })),
  ]
}
