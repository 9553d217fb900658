// The demo with its histories: the customers are there at once, each at the beginning of its history, and jobs make the
// months until today by their test clocks (docs/decisions/0130).
import { startTestClock } from '#modules/operations/admin/start-test-clock.ts'
import type { OrganizationContext, SystemContext } from '#kernel/data/context.ts'
import { nameContact } from '#modules/messages/contacts/name-contact.ts'
import type { Config } from '#config/config.ts'
import type { DemoService } from '../demo-service.ts'
import { loadDemo } from '../load-demo.ts'
import { openDemoOrganization, signInsOf } from '../organizations.ts'
import { DEMO_SIGN_INS, type SignIn } from '../sign-ins.ts'
import { asMember } from './callers.ts'
import { beginningOf, HISTORIES, HISTORY_NAMES, type HistoryName } from './histories.ts'
import { enqueueAct, letTimePass } from './jobs.ts'

/** A start that ends between the two leaves a demo without histories. */
export async function loadWholeDemo(service: DemoService, config: Config): Promise<SignIn[]> {
  const signIns = await loadDemo(service, config)
  return signIns.length === 0 ? [] : [...signIns, ...(await loadHistories(service))]
}

export async function loadHistories(
  service: DemoService,
  names: readonly HistoryName[] = HISTORY_NAMES,
): Promise<SignIn[]> {
  const hash = await service.ports.passwords.hash(DEMO_SIGN_INS.password)
  const origin = service.origin()
  return service.transactions.asSystem('the demo', origin, async (ctx) => {
    const signIns: SignIn[] = []
    const ids: number[] = []
    for (const name of names) {
      const id = await begin(ctx, name, hash)
      ids.push(id)
      signIns.push(...signInsOf(HISTORIES[name].organization.name, id))
    }
    await letTimePass(ctx, ids, origin.now.toISOString())
    return signIns
  })
}

/** The customer registered when its history begins. */
async function begin(ctx: SystemContext, history: HistoryName, hash: string): Promise<number> {
  const since = beginningOf(history, ctx.now)
  const then = asOf(ctx, since)
  const { organizationId } = await openDemoOrganization(then, HISTORIES[history], hash)
  await startTestClock(then, organizationId, since.toISOString())
  const span = { history, since: since.toISOString(), until: ctx.now.toISOString() }
  const inside = await ctx.enter(organizationId)
  await nameBilling(inside, HISTORIES[history].billing)
  await enqueueAct(inside, span, 0)
  return organizationId
}

/** Bills go to one person, without papers: those of all members would be most of a history's work. */
async function nameBilling(ctx: OrganizationContext, email: string): Promise<void> {
  const { userId } = (await asMember(ctx, email)).caller
  if (userId !== null) await nameContact(ctx, { role: 'billing', user_id: userId, attachments: false })
}

/** As if the organizations had a test clock already, which only an organization that is there gets. */
const asOf = (ctx: SystemContext, now: Date): SystemContext => ({
  ...ctx,
  now,
  testClock: now,
  enter: async (id) => ({ ...(await ctx.enter(id)), now, testClock: now }),
})
