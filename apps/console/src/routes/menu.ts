// What the menu offers: what the person may see where they are.
import type { usePerson } from '../context.tsx'
import { type Here, isSeen } from '../place.ts'
import { DIRECTORY } from '../resources/directory.ts'
import { type Screen, SCREENS } from '../screens.ts'
import type { Texts } from '../texts/en.ts'

export type Entry = { to: string; label: string; group: keyof Texts['groups'] }

type Viewer = ReturnType<typeof usePerson>

/** Whether the screen is shown to the person there; the menu and its address say the same. */
export const isOpenTo = (person: Viewer, here: Here, { place, scope, permission }: Screen): boolean =>
  place === here.place && isSeen(person, here, { scope }) && (permission === undefined || person.may(permission))

export function entriesOf(person: Viewer, here: Here): readonly Entry[] {
  const { texts, user, isStaff } = person
  const isOwner = isStaff || user.organizations.some(({ id, role }) => id === here.organization && role === 'owner')
  const kinds = DIRECTORY.filter(
    (one) => one.places[here.place] !== undefined && isSeen(person, here, one) && (one.isOwners !== true || isOwner),
  )
  const screens = SCREENS.filter((screen) => !screen.isHidden && isOpenTo(person, here, screen))
  return [
    ...kinds.map(({ name, group }) => ({ to: `${here.path}/${name}`, label: texts.resources[name], group })),
    ...screens.map(({ name, group }) => ({ to: `${here.path}/${name}`, label: texts.screens[name], group })),
  ]
}
