// The console: who is signed in already goes on, everybody else signs in first.
import '@mantine/core/styles.css'
import './style.css'
import { Center, Loader, MantineProvider } from '@mantine/core'
import type { GetBrandResult as Brand, Session, User } from '@titular/sdk'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { CatchBoundary, RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { lazy, startTransition, StrictMode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { firstSession, onSessionChange, session } from './client.ts'
import { readableColors, themeOf, useBrand } from './brand.ts'
import { PersonProvider } from './context.tsx'
import { Broken } from './parts/broken.tsx'
import { ownDrafts } from './parts/drafts.ts'
import { makeRouter, type Router } from './router.tsx'
import { loadFirst } from './routes/first.tsx'
import { readAhead } from './routes/home/home-queries.ts'
import type { Texts } from './texts/en.ts'
import { dayIn, type Language, languageOfBrowser, textsIn } from './texts/texts.ts'

const SignIn = lazy(async () => ({ default: (await import('./routes/sign-in/sign-in.tsx')).SignIn }))
const SignInAgain = lazy(async () => ({ default: (await import('./routes/sign-in/sign-in-again.tsx')).SignInAgain }))

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 15_000 } } })

const Wait = () => (
  <Center h="100vh">
    <Loader />
  </Center>
)

type Said = { language: Language; texts: Texts }

/** What is known before anything is drawn; without `said` the service did not answer. */
type Visit = { user: User | null; said: Said | null; failure: unknown }

async function firstVisit(router: Router): Promise<Visit> {
  try {
    const found = await firstSession
    const language = found?.user.language ?? languageOfBrowser()
    document.documentElement.lang = language
    if (found) {
      ownDrafts(found.user.id)
      readAhead(queries, found.user)
    }
    const [texts] = await Promise.all([textsIn(language), found && router.load()])
    return { user: found?.user ?? null, said: { language, texts }, failure: null }
  } catch (failure) {
    // Nobody is asked to sign in who perhaps has, while the service does not answer.
    document.documentElement.lang = languageOfBrowser()
    return { user: null, said: null, failure }
  }
}

type ConsoleProps = { router: Router; visit: Visit }

function Console({ brand, router, visit }: ConsoleProps & { brand: Brand | null }) {
  const [user, setUser] = useState(visit.user)
  const [said, setSaid] = useState(visit.said)
  const [hasEnded, setEnded] = useState(false)
  const known = useRef(visit.user?.id ?? null)
  const turn = useRef(0)
  /** In small steps: a page that is drawn at once does not answer meanwhile. */
  const show = useCallback(async (language: Language, change: () => void): Promise<void> => {
    const own = ++turn.current
    const texts = await textsIn(language).catch(() => null)
    startTransition(() => {
      // Another one may have been asked for meanwhile.
      if (texts && own === turn.current) {
        document.documentElement.lang = language
        setSaid((before) => (before?.language === language ? before : { language, texts }))
      }
      change()
    })
  }, [])
  const speak = useCallback((language: Language) => void show(language, () => {}), [show])
  const latest = useRef<Session | null>(null)
  const enter = useCallback(
    (found: Session): void => {
      known.current = found.user.id
      // What another person has read and typed in this tab is not for this one.
      if (ownDrafts(found.user.id)) queries.clear()
      latest.current = found
      void show(found.user.language, () => {
        if (latest.current !== found) return
        setUser(found.user)
        setEnded(false)
      })
    },
    [show],
  )
  const restore = useCallback(
    () =>
      void session.restore().then(
        (found) => {
          // Perhaps somebody else has signed in, in another tab.
          const isTheirs = found && (known.current ?? found.user.id) === found.user.id
          // What is open stays open: who was there is asked to sign in above it.
          return isTheirs ? enter(found) : setEnded(true)
        },
        // What is open stays open while the service does not answer, too.
        () => {},
      ),
    [enter],
  )
  useEffect(() => onSessionChange((change) => (change === 'ended' ? setEnded(true) : restore())), [restore])
  if (said === null) throw visit.failure
  const { language, texts } = said
  if (user === null)
    return (
      <Suspense fallback={<Wait />}>
        <SignIn brand={brand} texts={texts} language={language} onLanguage={speak} onDone={enter} />
      </Suspense>
    )
  return (
    <PersonProvider key={user.id} brand={brand} user={user} language={language} texts={texts} refresh={restore}>
      <RouterProvider router={router} />
      {hasEnded && (
        <Suspense>
          <SignInAgain
            brand={brand}
            texts={texts}
            language={language}
            onLanguage={speak}
            onDone={(found) => {
              if (found.user.id !== user.id) return globalThis.location.assign('/app/')
              enter(found)
              void queries.invalidateQueries()
            }}
          />
        </Suspense>
      )}
    </PersonProvider>
  )
}

/** The policy of the page admits styles that have it. */
const nonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? ''
// Of those that dialogs write so that the page behind them does not scroll.
setNonce(nonce)

function Themed(props: ConsoleProps) {
  const brand = useBrand()
  const theme = useMemo(() => themeOf(brand), [brand])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <CatchBoundary getResetKey={() => 0} errorComponent={Broken}>
          <Console brand={brand} {...props} />
        </CatchBoundary>
      </QueryClientProvider>
    </MantineProvider>
  )
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))

/** In several tasks, between which a slow processor answers. Meanwhile index.html shows that something comes. */
async function begin(element: Element): Promise<void> {
  await nextTask()
  loadFirst()
  const router = makeRouter()
  const visit = firstVisit(router)
  await nextTask()
  // The first date that a browser writes takes it as long as some thousand others: while the service is asked.
  dayIn(languageOfBrowser(), '2000-01-01')
  const known = await visit
  // In small steps, as above.
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <Themed router={router} visit={known} />
      </StrictMode>,
    ),
  )
}

const root = document.querySelector('#root')
if (root) void begin(root)
