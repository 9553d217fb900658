// The sandbox's CRM of a legal entity: replaces a portal of HubSpot, with its own state, over its own HTTP.
import { join } from 'node:path'
import { isEqual } from '#kernel/keys/secrets.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import { eventSender } from '../event-sender.ts'
import { type Exchange, header } from '../payments/exchange.ts'
import { readRecords, recordWriter, writeRecord } from '../record-files.ts'
import { jsonAnswer, type OpenSystem, type SystemOptions } from '../system.ts'
import { withWishes } from '../wishes.ts'
import { eventsOf, signedEvents } from './events.ts'
import { type Change, createPortal, PortalObject, UniqueProperties } from './portal.ts'
import { answerPortal, problem } from './rest.ts'

export type SandboxCrmOptions = SystemOptions & {
  /** The legal entity whose portal it is: answers are given below `/sandbox/crm/<company>`. */
  company: string
  /** The service's access token. */
  token: string
  /** The property of companies that has the CNPJ. */
  cnpjProperty: string
}

/** The access token of the people who work with the CRM. */
const PEOPLE = 'sales'

const refused = problem(400, 'Property values were not valid: sandbox: refuse')
const REFUSED = jsonAnswer(refused.status, refused.body)

/** HubSpot goes on for a day; here a restart ends it. */
const RETRY_GAPS_MS = [1_000, 5_000, 30_000, 5 * 60_000, 10 * 60_000]

/** `/crm/objects/…` and `/crm/properties/…`, the calls of HubSpot's API. */
export async function openCrm(options: SandboxCrmOptions): Promise<OpenSystem> {
  const { company, token, cnpjProperty, now = () => new Date() } = options
  const folder = join(options.dataDir, 'sandbox', 'crm', company)
  const write = recordWriter(folder)
  const ofProperties = join(folder, 'properties')
  const made = await readRecords(ofProperties, UniqueProperties)
  // The portal has what `backfill-crm` would make in another one.
  const unique = {
    companies: new Set(['titular_organization_id', cnpjProperty, ...made.flatMap((one) => one.companies)]),
    deals: new Set(['titular_quote_id', ...made.flatMap((one) => one.deals)]),
  }
  const noteProperties = () =>
    writeRecord(ofProperties, 'unique', { companies: [...unique.companies], deals: [...unique.deals] })
  const portal = createPortal(await readRecords(folder, PortalObject), unique)
  const sender = eventSender(RETRY_GAPS_MS, options.onError)
  const announce = announcer(options, sender.send)
  const handle = withWishes(REFUSED, async (exchange) => {
    const isOwn = isBy(token, exchange)
    if (!isOwn && !isBy(PEOPLE, exchange))
      return jsonAnswer(401, problem(401, 'Authentication credentials not found').body)
    const { pathname, searchParams: query } = new URL(exchange.path, 'http://crm.example')
    const path = pathname.slice(`/sandbox/crm/${company}`.length)
    const body = parsedJson(Buffer.from(exchange.body ?? []))
    const answer = answerPortal(portal, { method: exchange.method, path, query, body })
    const { changes = [] } = answer
    if (answer.hasNewProperty) await noteProperties()
    for (const object of new Set(changes.map((change) => change.object))) await write(object.id, object)
    if (changes.length > 0) announce(changes, { isOwn, at: now() })
    return jsonAnswer(answer.status, answer.body)
  })
  return { handle, stop: () => sender.stop() }
}

type Options = Pick<SandboxCrmOptions, 'webhookUrl' | 'webhookSecret' | 'now'>

/** Each attempt is signed at its own time, which the receiver compares with its clock. */
function announcer(
  { webhookUrl: url, webhookSecret: secret, now = () => new Date() }: Options,
  send: ReturnType<typeof eventSender>['send'],
) {
  let next = Date.now() * 1000
  return (changes: readonly Change[], by: { isOwn: boolean; at: Date }) => {
    const firstEventId = next
    next += changes.length
    send((attempt) => {
      const events = eventsOf({ changes, firstEventId, ...by }, attempt)
      return { url, ...signedEvents(events, { to: url, at: now(), secret }) }
    })
  }
}

const isBy = (token: string, exchange: Exchange): boolean =>
  isEqual(header(exchange, 'authorization') ?? '', `Bearer ${token}`)
