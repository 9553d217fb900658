// What logs say of an act, in words: what was done, with which kind of record, by whom.
import { useOwnTexts, usePerson } from '../context.tsx'
import { nameOf } from '../texts/texts.ts'
import { timelineTexts } from './timeline-texts.ts'

type Who = { actor_kind: string; actor: string }
type Changer = { changed_by: unknown; changed_by_name: string }

export function useNamesOfActs() {
  const { texts } = usePerson()
  const own = useOwnTexts(timelineTexts)
  return {
    own,
    kindOf: (kind: string): string =>
      nameOf(texts.records, kind) === kind ? nameOf(own.kinds, kind) : nameOf(texts.records, kind),
    actOf: (action: string): string => nameOf(own.acts, action),
    /** A history names the service where nobody did it. */
    changerOf: ({ changed_by: id, changed_by_name: name }: Changer): string =>
      id === null && name === 'system' ? own.system : name,
    whoOf: ({ actor_kind, actor }: Who): string =>
      actor_kind === 'system' ? own.system : actor_kind === 'api_key' ? `${own.key} ${actor}` : actor,
  }
}
