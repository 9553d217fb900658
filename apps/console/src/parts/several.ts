// Something that is done for several records: a request for each, four at most at once. It goes on when its dialog is closed or
// its screen left (under-way.tsx), and can be stopped.
import { ValidationError } from '@titular/sdk'
import { useEffect, useState } from 'react'
import { noteFailure, onSessionChange } from '../client.ts'
import { usePerson } from '../context.tsx'
import { type Here, hereIn } from '../place.ts'
import { type Item, keyOf, type Resource } from '../resources/resource.ts'
import { storeOf, useStore } from '../store.ts'
import { sentenceOf } from './problem.tsx'

export type OneOfSeveral = { record: Item; key: string; title: string; place: Here }

export type Result = 'waits' | 'runs' | 'done' | 'left' | { problem: string }

type SeveralOptions = {
  /** What is done. */
  name: string
  resource: Resource
  here: Here
  records: readonly Item[]
  isOffered: (record: Item) => boolean
  /** Whether each is asked for in its own organization. */
  isOfOrganization: boolean
}

type Progress = { results: ReadonlyMap<string, Result>; state: 'asks' | 'runs' | 'ended' }

type Send = (one: OneOfSeveral) => Promise<void>

const AT_ONCE = 4

export type Several = ReturnType<typeof createSeveral>

function createSeveral(options: SeveralOptions, person: ReturnType<typeof usePerson>) {
  const { name, resource, here, records, isOffered, isOfOrganization } = options
  const { texts, language, user } = person
  // As it was chosen: a list that is read again meanwhile changes nothing of it.
  const chosen = records.map((record): OneOfSeveral => {
    const place = isOfOrganization ? hereIn(ownerOf(record) ?? here.organization, language) : here
    const key = keyOf(resource, record)
    return { record, key, title: resource.titleOf(record, { texts, language }) || key, place }
  })
  const possible = chosen.filter(({ record }) => isOffered(record))
  const progress = storeOf<Progress>({
    results: new Map(chosen.map((one) => [one.key, possible.includes(one) ? 'waits' : 'left'])),
    state: 'asks',
  })
  let over = new AbortController()
  let isLeft = false
  const change = (next: Partial<Progress>): void => progress.set({ ...progress.get(), ...next })
  const note = (key: string, result: Result): void =>
    change({ results: new Map(progress.get().results).set(key, result) })

  /** Gives what went wrong. */
  async function attempt(one: OneOfSeveral, send: Send): Promise<unknown> {
    note(one.key, 'runs')
    try {
      await send(one)
      note(one.key, 'done')
      return null
    } catch (failure) {
      noteFailure(failure)
      note(one.key, { problem: sentenceOf(failure, texts) })
      return failure
    }
  }

  async function sendAll(send: Send): Promise<ValidationError | null> {
    const rest = [...possible]
    const first = rest.shift()
    const failure = first ? await attempt(first, send) : null
    if (first && failure instanceof ValidationError) {
      if (isLeft) {
        // Nobody is there to be asked.
        change({ state: 'ended' })
        return null
      }
      note(first.key, 'waits')
      change({ state: 'asks' })
      return failure
    }
    const goOn = async (): Promise<void> => {
      for (let next = rest.shift(); next && !over.signal.aborted; next = rest.shift()) await attempt(next, send)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, goOn))
    change({ state: 'ended' })
    return null
  }

  /** The first goes alone, so that a proof, a reason or a field that is wrong is asked for once. Gives what is wrong. */
  async function run(send: Send): Promise<ValidationError | null> {
    over = new AbortController()
    change({ state: 'runs' })
    // What has not begun yet would be lost with the window.
    const ended = new AbortController()
    globalThis.addEventListener('beforeunload', (event) => event.preventDefault(), { signal: ended.signal })
    // Whoever signs in next may be another person.
    const forget = onSessionChange((session) => session === 'ended' && over.abort())
    try {
      return await sendAll(send)
    } finally {
      forget()
      ended.abort()
    }
  }
  return {
    name,
    userId: user.id,
    chosen,
    possible,
    progress,
    run,
    stop: () => over.abort(),
    leave: () => void (isLeft = true),
  }
}

const ownerOf = ({ organization_id: owner }: Item): number | null => (typeof owner === 'number' ? owner : null)

export function useSeveral(options: SeveralOptions): Several {
  const person = usePerson()
  const [several] = useState(() => createSeveral(options, person))
  useEffect(() => () => leave(several), [several])
  return several
}

export function useProgress({ progress, possible }: Several) {
  const { results, state } = useStore(progress)
  const ended = possible.filter(({ key }) => isEnded(results.get(key))).length
  return { results, state, ended }
}

const isEnded = (result: Result | undefined): boolean => result === 'done' || typeof result === 'object'

/** What runs without its dialog, until somebody has seen how it ended. */
const underWay = storeOf<readonly Several[]>([])

function leave(several: Several): void {
  if (several.progress.get().state !== 'runs') return
  several.leave()
  underWay.set([...underWay.get(), several])
}

export const dismiss = (several: Several): void => underWay.set(underWay.get().filter((one) => one !== several))

export const useUnderWay = (): readonly Several[] => useStore(underWay)
