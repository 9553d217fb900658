// The frame of every screen: which organization, what there is, who is signed in.
import { Alert, Anchor, AppShell, Burger, Button, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { lazy, memo, type ReactNode, Suspense, useEffect } from 'react'
import { session } from '../client.ts'
import { usePerson } from '../context.tsx'
import { BrandMark } from '../parts/brand-mark.tsx'
import { keepFocus } from '../parts/keep-focus.ts'
import { useLive } from '../parts/live.ts'
import { isPlainClick } from '../parts/plain-click.ts'
import type { Here } from '../place.ts'
import { PaletteButton } from '../parts/palette-button.tsx'
import { CountOfActions, CountOfInbox, CountOfQueue } from './counts.tsx'
import { type Entry, entriesOf } from './menu.ts'
import { filled } from '../texts/texts.ts'
import { usePause } from '../waiting.ts'
import { ChoiceOfCompany } from './company.tsx'
import { Organizations } from './organizations.tsx'
import { useHere } from './where.ts'

/** Loads once the browser is idle: the screen comes first. */
const Beside = lazy(async () => {
  await new Promise((resolve) =>
    // Safari has none.
    'requestIdleCallback' in globalThis ? requestIdleCallback(resolve, { timeout: 1000 }) : setTimeout(resolve, 300),
  )
  return { default: (await import('../parts/beside.tsx')).Beside }
})

export function Frame() {
  const { texts, user, isStaff, brand } = usePerson()
  const [isOpen, menu] = useDisclosure(false)
  const here = useHere()
  const person = usePerson()
  const leave = useLeave()
  useLive(here)
  const name = brand?.name ?? 'Titular'
  // From the first moment on: what opened a dialog before could not get the keyboard back.
  useEffect(() => keepFocus((screen) => (screen === '' ? name : `${screen} – ${name}`)), [name])
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/^\/app/, '') })
  const entries = here ? entriesOf(person, here) : []
  const isMember = user.organizations.some(({ id }) => id === here?.organization)
  const countOfHome = (at: Here): ReactNode =>
    at.place === 'all' ? isStaff && <CountOfQueue here={at} /> : isMember && <CountOfActions here={at} />
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header className="no-print">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" flex={1} miw={0}>
            <Burger opened={isOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label={texts.app.menu} />
            <Anchor href="#content" className="skip">
              {texts.app.skip}
            </Anchor>
            <Anchor component={Link} to="/" fw={700} visibleFrom="sm" c="inherit" underline="never">
              <BrandMark brand={brand} />
            </Anchor>
            <Organizations organization={here?.organization ?? null} />
          </Group>
          <Group wrap="nowrap" gap="xs">
            <PaletteButton entries={entries} />
            <Group visibleFrom="sm">
              <Person />
            </Group>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" className="no-print" style={{ overflowY: 'auto' }} aria-label={texts.app.menu}>
        <Group hiddenFrom="sm" p="xs">
          <Person />
        </Group>
        {isStaff && here?.place !== 'all' && <Item to="/all" label={`← ${texts.app.staff}`} onOpen={menu.close} />}
        {here && here.place !== 'me' && (
          <Item
            to={here.path}
            label={texts.app.home}
            isCurrent={isAt(path, here.path)}
            onOpen={menu.close}
            count={countOfHome(here)}
          />
        )}
        {groups.map((group) => (
          <div key={group}>
            <Text size="sm" fw={700} mt="md" px="xs" c="dimmed">
              {texts.groups[group]}
            </Text>
            {entries
              .filter((entry) => entry.group === group)
              .map(({ to, label }) => (
                <Item
                  key={to}
                  to={to}
                  label={label}
                  isCurrent={isAt(path, to)}
                  onOpen={menu.close}
                  count={here && to === '/me/notices' && <CountOfInbox here={here} />}
                />
              ))}
          </div>
        ))}
        {here?.place === 'organization' && <ChoiceOfCompany />}
        <Button variant="subtle" onClick={leave} mt="md" hiddenFrom="sm" fullWidth justify="flex-start">
          {texts.app.signOut}
        </Button>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Suspense fallback={<Loader />}>
          <Outlet />
        </Suspense>
      </AppShell.Main>
      <Waiting />
      <Suspense>
        <Beside />
      </Suspense>
    </AppShell>
  )
}

type ItemProps = Pick<Entry, 'to' | 'label'> & { isCurrent?: boolean; onOpen: () => void; count?: ReactNode }

/** One of many in a menu that is drawn with every screen: as plain as it can be. */
const Item = memo(function Item({ to, label, isCurrent, onOpen, count }: ItemProps) {
  const navigate = useNavigate()
  return (
    <a
      href={`/app${to}`}
      className="entry"
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onOpen()
        void navigate({ to })
      }}
    >
      {label}
      {count}
    </a>
  )
})

const isAt = (path: string, to: string): boolean =>
  path === to || (path.startsWith(`${to}/`) && to.split('/').length > (to.startsWith('/o/') ? 3 : 2))

/** Says that the client tries again by itself. */
function Waiting() {
  const { texts } = usePerson()
  const seconds = usePause()
  return (
    <output className="waiting no-print">
      {seconds > 0 && filled(texts.problems.waiting, { seconds: String(seconds) })}
    </output>
  )
}

/** What was read and typed is not for who comes next. */
function useLeave(): () => void {
  const queries = useQueryClient()
  return () =>
    void session.signOut().finally(() => {
      queries.clear()
      sessionStorage.clear()
      globalThis.location.assign('/app/')
    })
}

function Person() {
  const { user, texts } = usePerson()
  const leave = useLeave()
  return (
    <Group gap="xs" wrap="nowrap">
      <Anchor
        component={Link}
        to="/me/profile"
        c="inherit"
        fw={600}
        truncate
        maw={{ base: 110, sm: 160 }}
        title={texts.app.account}
      >
        {user.name}
      </Anchor>
      <Button variant="default" onClick={leave} visibleFrom="sm">
        {texts.app.signOut}
      </Button>
    </Group>
  )
}

export function NotFound() {
  const { texts } = usePerson()
  return (
    <Stack align="flex-start">
      <Alert role="alert">
        <Title order={1} size="h4">
          {texts.app.notFound}
        </Title>
      </Alert>
      <Button variant="default" component={Link} to="/">
        {texts.app.toHome}
      </Button>
    </Stack>
  )
}
