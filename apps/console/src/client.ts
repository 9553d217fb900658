// The service as the console sees it: one client of a signed-in person, whose cookie no script can read.
import {
  AuthenticationError,
  AuthorizationError,
  type ClientScope,
  cookieSession,
  createTitular,
  type StepUpRequest,
  type Titular,
} from '@titular/sdk'
import { chosenCompany } from './entity.ts'
import { sleep } from './waiting.ts'

type AskForProof = () => Promise<StepUpRequest | null>

let hear: () => void = () => {}
const isHeard = new Promise<void>((resolve) => (hear = resolve))

/** What asks loads after the screen: an act that needs it at once waits. */
let askForProof: AskForProof = async () => {
  await isHeard
  return askForProof()
}

/** How a person is asked for a fresh proof of who they are (parts/step-up.tsx). */
export function onProof(ask: AskForProof): void {
  askForProof = ask
  hear()
}

export const session = cookieSession()

/** Empty where the service itself serves the page. */
const baseUrl = document.querySelector('meta[name="service"]')?.getAttribute('content') ?? ''

export const titular = createTitular({ baseUrl, credentials: session, onStepUp: () => askForProof(), sleep })

/** The session that the browser has already: asked for before anything is drawn. */
export const firstSession = session.restore()
// The browser reports a failure that nobody handles yet; main.tsx does, later.
firstSession.catch(() => {})

/** The same caller in an organization, or across them. */
export const inside = (scope: ClientScope): Titular => titular.with({ ...scope, company: chosenCompany() ?? undefined })

type Listener = (change: 'ended' | 'refused') => void

const listeners = new Set<Listener>()

/** Tells when the session has ended meanwhile, such as in another tab, or may do less; gives what stops it. */
export function onSessionChange(tell: Listener): () => void {
  listeners.add(tell)
  return () => void listeners.delete(tell)
}

/** Of a failure that was shown: a session that has ended is asked for again, and one that may do less is read again. */
export function noteFailure(error: unknown): void {
  if (error instanceof AuthenticationError) for (const tell of listeners) tell('ended')
  if (error instanceof AuthorizationError) for (const tell of listeners) tell('refused')
}
