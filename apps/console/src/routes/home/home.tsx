// What needs the person in an organization, and how what they have is doing.
import { Anchor, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePerson } from '../../context.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import type { Here } from '../../place.ts'
import { dayIn, filled, nameOf } from '../../texts/texts.ts'
import { actionsIn } from '../counts.tsx'
import { entitlementsIn, ticketsIn } from './home-queries.ts'

/** Where the records of an action are. */
const PLACES: Readonly<Record<string, string>> = {
  quote: 'quotes',
  invoice: 'invoices',
  ticket: 'tickets',
  service: 'services',
  site: 'sites',
}

export function Home({ here }: { here: Here }) {
  const { texts, language, mayIn } = usePerson()
  const sees = mayIn(here, 'entitlements', 'read')
  const actions = useQuery(actionsIn(here))
  const entitlements = useQuery(entitlementsIn(here, sees))
  const tickets = useQuery(ticketsIn(here, sees))
  const waiting = (actions.data?.actions ?? []).filter(({ count }) => count > 0)
  return (
    <Stack>
      <Title order={1} size="h2">
        {texts.home.title}
      </Title>
      {actions.error && <Problem error={actions.error} retry={() => void actions.refetch()} />}
      {actions.isPending && <Skeleton height={160} aria-hidden />}
      {actions.data && waiting.length === 0 && <Text c="dimmed">{texts.home.nothing}</Text>}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {waiting.map(({ kind, resource, count, items, has_more }) => (
          <Block key={kind} title={nameOf(texts.waiting, kind)} count={count}>
            {items.map(({ id, label, due_on }) => (
              <Row key={id} to={`${here.path}/${PLACES[resource] ?? ''}/${id}`} label={label}>
                {due_on && (
                  <Text size="sm" c="dimmed">
                    {filled(texts.home.due, { day: dayIn(language, due_on) })}
                  </Text>
                )}
              </Row>
            ))}
            {has_more && (
              <Text size="sm" c="dimmed">
                {texts.home.more}
              </Text>
            )}
          </Block>
        ))}
        {entitlements.data && entitlements.data.length > 0 && (
          <Block title={texts.home.runs} all={`${here.path}/entitlements`}>
            {entitlements.data.map(({ id, product_name, status, expires_at }) => (
              <Row key={id} to={`${here.path}/entitlements/${id}`} label={product_name}>
                <Group gap="xs" wrap="nowrap">
                  {expires_at !== null && (
                    <Text size="sm" c="dimmed">
                      {filled(texts.home.due, { day: dayIn(language, expires_at) })}
                    </Text>
                  )}
                  <Status value={status} />
                </Group>
              </Row>
            ))}
          </Block>
        )}
        {tickets.data && tickets.data.length > 0 && (
          <Block title={texts.home.tickets} all={`${here.path}/tickets`}>
            {tickets.data.map(({ id, number, title, status }) => (
              <Row key={id} to={`${here.path}/tickets/${id}`} label={`${number} ${title}`}>
                <Status value={status} />
              </Row>
            ))}
          </Block>
        )}
      </SimpleGrid>
    </Stack>
  )
}

type BlockProps = { title: string; count?: number; all?: string; children: ReactNode }

function Block({ title, count, all, children }: BlockProps) {
  const { texts } = usePerson()
  return (
    <Card withBorder component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {count !== undefined && <Text fw={700}>{count}</Text>}
        {all !== undefined && (
          <Anchor component={Link} to={all} size="sm" aria-label={`${texts.home.all}: ${title}`}>
            {texts.home.all}
          </Anchor>
        )}
      </Group>
      <Stack gap="xs">{children}</Stack>
    </Card>
  )
}

function Row({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Anchor component={Link} to={to} style={{ overflowWrap: 'anywhere' }}>
        {label}
      </Anchor>
      {children}
    </Group>
  )
}
