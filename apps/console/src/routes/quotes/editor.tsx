// Writes a quote: a new one, or a draft that is there (`/o/1/quote-editor/12`). What was typed stays over a reload until it
// is saved.
import { Alert, Anchor, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import {
  adminListProducts,
  createQuote,
  getOrganization,
  getQuote,
  PreconditionError,
  type Quote,
  sendQuote,
  updateQuote,
  ValidationError,
} from '@titular/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { noteFailure } from '../../client.ts'
import { useOwnTexts, usePerson } from '../../context.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { ScreenProps } from '../../screens.ts'
import { filled } from '../../texts/texts.ts'
import { Conflict } from './conflict.tsx'
import { bodyOf, type Draft, draftOf, newDraft } from './draft.ts'
import { forget, remembered, useMemory } from './memory.ts'
import { OfferFields } from './offer.tsx'
import { LinesOf } from './lines.tsx'
import { TEXTS } from './texts.ts'
import { TotalsCard } from './totals-card.tsx'
import { useTotals } from './totals.ts'

export function Screen({ here, rest }: ScreenProps) {
  const own = useOwnTexts(TEXTS)
  const id = /^[1-9]\d{0,14}$/.test(rest) ? Number(rest) : null
  const quote = useQuery({
    queryKey: [here.key, 'quotes', 'edited', id],
    enabled: id !== null,
    // Read once: what somebody else saves meanwhile is found by its ETag, and does not replace what is typed.
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async () => here.client.answer(getQuote, { id: id ?? 0 }),
  })
  const organization = useQuery({
    queryKey: [here.organization, 'organization'],
    queryFn: () => here.client.call(getOrganization, { id: here.organization ?? 0 }),
  })
  const products = useQuery({
    queryKey: ['all', 'products', 'active'],
    queryFn: () => here.client.call(adminListProducts, { active: true, per_page: 100 }),
  })
  if (quote.error) return <Problem error={quote.error} retry={() => void quote.refetch()} />
  if (organization.error) return <Problem error={organization.error} retry={() => void organization.refetch()} />
  if (!organization.data || products.isPending || (id !== null && !quote.data))
    return <Skeleton height={320} aria-hidden />
  const edited = quote.data?.data
  if (edited && edited.status !== 'draft')
    return (
      <Stack align="flex-start">
        <Alert role="alert">{own.notDraft}</Alert>
        <Button variant="default" component={Link} to={`${here.path}/quotes/${edited.id}`}>
          {own.open}
        </Button>
      </Stack>
    )
  return (
    <Editor
      key={quote.dataUpdatedAt}
      here={here}
      edited={edited ?? null}
      etag={quote.data?.etag ?? null}
      blank={newDraft((organization.data.country ?? 'BR') === 'BR')}
      products={products.data ?? null}
      onReload={() => void quote.refetch()}
    />
  )
}

type EditorProps = {
  here: ScreenProps['here']
  edited: Quote | null
  etag: string | null
  blank: Draft
  products: Parameters<typeof LinesOf>[0]['products'] | null
  onReload: () => void
}

function Editor({ here, edited, etag, blank, products, onReload }: EditorProps) {
  const { texts, language } = usePerson()
  const own = useOwnTexts(TEXTS)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const place = `${here.key} ${edited?.id ?? 'new'}`
  const [before] = useState(() => remembered(place))
  const [draft, setDraft] = useState<Draft>(() => before?.draft ?? (edited ? draftOf(edited, language) : blank))
  /** Of the quote that the draft began with, or that was shown beside it. */
  const [basis, setBasis] = useState(before ? before.etag : etag)
  const [theirs, setTheirs] = useState<Quote | null>(null)
  const [isOld, setOld] = useState(before !== null)
  const [saved, setSaved] = useState<Quote | null>(edited)
  const [error, setError] = useState<unknown>(null)
  const [isRunning, setRunning] = useState(false)
  useMemory(place, { draft, etag: basis })
  const totals = useTotals(here.client, draft)
  const errors = { ...totals.errors, ...(error instanceof ValidationError && error.fields) }
  const change = (next: Draft): void => {
    setDraft(next)
    setError(null)
    setTheirs(null)
  }

  async function save(way: { sends: boolean }): Promise<void> {
    setRunning(true)
    setError(null)
    setTheirs(null)
    try {
      const body = bodyOf(draft, language)
      const ifMatch = basis === null || saved !== edited ? {} : { ifMatch: basis }
      const quote = saved
        ? await here.client.call(updateQuote, { id: saved.id, body }, ifMatch)
        : await here.client.call(createQuote, { body })
      if ('dry_run' in quote) return
      setSaved(quote)
      if (way.sends) await here.client.call(sendQuote, { id: quote.id, body: {} })
      forget(place)
      void queries.invalidateQueries()
      await navigate({ to: `${here.path}/quotes/${quote.id}` })
    } catch (failure) {
      setError(failure)
      noteFailure(failure)
      if (failure instanceof PreconditionError && saved) await showTheirs(saved.id)
    }
    setRunning(false)
  }

  /** What is saved now stands beside what is typed; whoever saves theirs then has seen it. */
  async function showTheirs(id: number): Promise<void> {
    const now = await here.client.answer(getQuote, { id }).catch(() => null)
    if (!now) return
    setTheirs(now.data)
    setBasis(now.etag)
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save({ sends: false })
      }}
    >
      <Stack>
        <div>
          <Anchor component={Link} to={`${here.path}/quotes`}>
            ← {texts.resources.quotes}
          </Anchor>
        </div>
        <Title order={1} size="h2">
          {edited ? filled(own.edit, { number: edited.number }) : own.new}
        </Title>
        {isOld && (
          <Alert role="status">
            <Group justify="space-between">
              <Text>{own.unsaved}</Text>
              <Button
                variant="default"
                onClick={() => {
                  setOld(false)
                  setBasis(etag)
                  change(edited ? draftOf(edited, language) : blank)
                }}
              >
                {own.discard}
              </Button>
            </Group>
          </Alert>
        )}
        {!products && <Alert color="orange">{own.catalogue}</Alert>}
        <OfferFields draft={draft} errors={errors} onChange={change} />
        <LinesOf
          here={here}
          draft={draft}
          products={products ?? []}
          quote={totals.quote}
          isStale={totals.isStale}
          errors={errors}
          onChange={change}
        />
        <Card withBorder style={{ position: 'sticky', bottom: 0, zIndex: 1 }}>
          <Stack gap="sm">
            <TotalsCard totals={totals} currency={draft.currency} />
            {theirs ? (
              <Conflict
                theirs={theirs}
                mine={draft}
                onTheirs={() => (forget(place), onReload())}
                onMine={() => void save({ sends: false })}
              />
            ) : (
              error !== null && <Problem error={error} />
            )}
            <Group justify="flex-end">
              <Button type="submit" variant="default" loading={isRunning}>
                {own.save}
              </Button>
              <Button loading={isRunning} onClick={() => void save({ sends: true })}>
                {own.send}
              </Button>
            </Group>
          </Stack>
        </Card>
      </Stack>
    </form>
  )
}
