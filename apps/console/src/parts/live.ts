// The open screen follows what happens: each event of the place lets what is shown be read again.
import { adminListEvents, listEvents } from '@titular/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePerson } from '../context.tsx'
import type { Here } from '../place.ts'

/** Several events within it are one reading. */
const PAUSE_MS = 1000

export function useLive(here: Here | null): void {
  const { may, mayIn } = usePerson()
  const queries = useQueryClient()
  const isVisible = useVisible()
  const isShown =
    here !== null &&
    (here.place === 'all' ? may('audit:read') : here.place !== 'me' && mayIn(here, 'organization', 'read'))
  useEffect(() => {
    if (!here || !isShown || !isVisible) return
    const over = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = async (): Promise<void> => {
      const events = here.client.follow(here.place === 'all' ? adminListEvents : listEvents, { after: 'latest' }, over)
      for await (const _ of events) timer ??= setTimeout(read, PAUSE_MS)
    }
    const read = (): void => {
      timer = undefined
      void queries.invalidateQueries({ queryKey: [here.key] })
    }
    // What is refused for good is not asked for again; screens are then as fresh as when they were opened.
    follow().catch(() => {})
    return () => {
      over.abort()
      clearTimeout(timer)
    }
  }, [here, isShown, isVisible, queries])
}

/** A tab that nobody looks at asks for nothing. */
function useVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const change = (): void => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', change)
    return () => document.removeEventListener('visibilitychange', change)
  }, [])
  return isVisible
}
