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
import { router } from './router.tsx'
import type { Texts } from './texts/en.ts'
import { type Language, languageOfBrowser, textsIn } from './texts/texts.ts'

const SignIn = lazy(async () => ({ default: (await import('./routes/sign-in/sign-in.tsx')).SignIn }))
const SignInAgain = lazy(async () => ({ default: (await import('./routes/sign-in/sign-in-again.tsx')).SignInAgain }))

const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 15_000 } } })

const Wait = () => (
  <Center h="100vh">
    <Loader />
  </Center>
)

function Console({ brand }: { brand: Brand | null }) {
  /** Undefined until the service has said whether the browser has a session. */
  const [user, setUser] = useState<User | null | undefined>(undefined)
  /** Null until somebody is known, or known to be nobody: only what they read is loaded. */
  const [said, setSaid] = useState<{ language: Language; texts: Texts } | null>(null)
  const [hasEnded, setEnded] = useState(false)
  const known = useRef<number | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const turn = useRef(0)
  /** In small steps: a page that is drawn at once does not answer meanwhile. */
  const show = useCallback(async (language: Language, change: () => void): Promise<void> => {
    const own = ++turn.current
    const texts = await textsIn(language).catch((wrong: unknown) => {
      setFailure(wrong)
      return null
    })
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
  const follow = useCallback(
    (answer: Promise<Session | null>) => {
      // What is open stays open: who was there is asked to sign in above it.
      const ask = (): void =>
        known.current === null
          ? void show(languageOfBrowser(), () => setUser((one) => one ?? null))
          : setUser((one) => one ?? null)
      const end = (): void => {
        setEnded(true)
        ask()
      }
      void answer.then(
        (found) => {
          // Perhaps somebody else has signed in, in another tab.
          const isTheirs = found && (known.current ?? found.user.id) === found.user.id
          return isTheirs ? enter(found) : end()
        },
        (wrong: unknown) => {
          if (known.current !== null) return ask()
          // Nobody is asked to sign in who perhaps has, while the service does not answer.
          document.documentElement.lang = languageOfBrowser()
          setFailure(wrong)
        },
      )
    },
    [enter, show],
  )
  const restore = useCallback(() => follow(session.restore()), [follow])
  useEffect(() => follow(firstSession), [follow])
  useEffect(() => onSessionChange((change) => (change === 'ended' ? setEnded(true) : restore())), [restore])
  if (said === null && failure !== null) throw failure
  if (user === undefined || said === null) return <Wait />
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

function Themed() {
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
          <Console brand={brand} />
        </CatchBoundary>
      </QueryClientProvider>
    </MantineProvider>
  )
}

const root = document.querySelector('#root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <Themed />
    </StrictMode>,
  )
