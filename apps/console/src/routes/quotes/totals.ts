// What a quote adds up to, by the service and never by the browser: a dry run, one at a time, once nobody has typed for a
// moment.
import { createQuote, type Titular, ValidationError } from '@titular/sdk'
import { useEffect, useRef, useState } from 'react'
import { usePerson } from '../../context.tsx'
import { isItem, type Item, itemsOf } from '../../resources/resource.ts'
import type { Language } from '../../texts/texts.ts'
import { bodyOf, type Draft, isComplete } from './draft.ts'

const PAUSE_MS = 400

export type Totals = {
  /** The quote as it would be; null until it is known for the first time. */
  quote: Item | null
  /** What the service says of fields. */
  errors: Readonly<Record<string, string>>
  error: unknown
  isStale: boolean
}

const NOTHING: Totals = { quote: null, errors: {}, error: null, isStale: false }

export function useTotals(client: Titular, draft: Draft | null): Totals {
  const { language } = usePerson()
  const [totals, setTotals] = useState(NOTHING)
  const running = useRef<Promise<void>>(Promise.resolve())
  useEffect(() => {
    // What was said of fields was said of another draft.
    if (!draft || !isComplete(draft)) return setTotals(({ quote }) => ({ ...NOTHING, quote, isStale: true }))
    let isCurrent = true
    const ask = async (): Promise<void> => {
      if (!isCurrent) return
      const next = await previewOf(client, draft, language)
      if (isCurrent) setTotals(({ quote }) => ({ ...next, quote: next.quote ?? quote }))
    }
    setTotals((before) => ({ ...before, isStale: true }))
    const timer = setTimeout(() => {
      running.current = running.current.then(ask)
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [client, draft, language])
  return totals
}

async function previewOf(client: Titular, draft: Draft, language: Language): Promise<Totals> {
  try {
    const answer: unknown = await client.call(createQuote, { body: bodyOf(draft, language), dry_run: true })
    const [record] = itemsOf(isItem(answer) ? answer['records'] : null)
    const quote = record?.['after']
    return { ...NOTHING, quote: isItem(quote) ? quote : null }
  } catch (error) {
    return error instanceof ValidationError
      ? { ...NOTHING, errors: error.fields, isStale: true }
      : { ...NOTHING, error, isStale: true }
  }
}
