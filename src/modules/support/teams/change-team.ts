// POST, PATCH and DELETE of /admin/teams: each has an entry in the service's own audit log.
import { serviceChange } from '#kernel/data/audit/audit.ts'
import { first, one, type SystemContext } from '#kernel/data/context.ts'
import { conflict, invalid, notFound, uniqueViolation } from '#kernel/values/errors.ts'
import { teams } from './queries.ts'
import type { NewTeam, Team, TeamChange, TicketAbout } from './team.ts'

export async function createTeam(ctx: SystemContext, { name, default_for = [], member_ids = [] }: NewTeam) {
  await ctx.ask(teams.lock())
  await assertPossible(ctx, { id: null, default_for, member_ids })
  const { id } = await one(ctx, teams.add(name, default_for, ctx.now)).catch(failAsTwin)
  await ctx.ask(teams.addMembers(id, member_ids, ctx.now))
  const team = await one(ctx, teams.one(id))
  await note(ctx, 'created', { before: null, after: team })
  return team
}

export async function changeTeam(ctx: SystemContext, id: number, body: TeamChange): Promise<Team> {
  const before = await locked(ctx, id)
  const { name = before.name, default_for = before.default_for, member_ids } = body
  await assertPossible(ctx, { id, default_for: body.default_for ?? [], member_ids: member_ids ?? [] })
  await ctx.ask(teams.change(id, { name, default_for }, ctx.now)).catch(failAsTwin)
  if (member_ids) {
    await ctx.ask(teams.removeMembers(id))
    await ctx.ask(teams.addMembers(id, member_ids, ctx.now))
  }
  const after = await one(ctx, teams.one(id))
  await note(ctx, 'updated', { before, after })
  return after
}

/** Tickets that have ended keep it. */
export async function removeTeam(ctx: SystemContext, id: number): Promise<void> {
  const before = await locked(ctx, id)
  const { count } = await one(ctx, teams.openTickets(id))
  if (count > 0) throw conflict('team_in_use', `${count} tickets that have not ended are the team’s`)
  await ctx.ask(teams.removeMembers(id))
  await ctx.ask(teams.remove(id, ctx.now))
  await note(ctx, 'deleted', { before, after: null })
}

async function locked(ctx: SystemContext, id: number): Promise<Team> {
  await ctx.ask(teams.lock())
  const team = await first(ctx, teams.one(id))
  if (!team) throw notFound()
  return team
}

type TeamTerms = { id: number | null; default_for: readonly TicketAbout[]; member_ids: readonly number[] }

async function assertPossible(ctx: SystemContext, { id, default_for, member_ids }: TeamTerms): Promise<void> {
  const possible = new Set((await ctx.ask(teams.possibleMembers(member_ids))).map((user) => user.id))
  const strange = member_ids.flatMap((userId, index) =>
    possible.has(userId) ? [] : [[`member_ids.${index}`, 'must be a person of staff who may read tickets']],
  )
  if (strange.length > 0) throw invalid(Object.fromEntries(strange))
  for (const other of await ctx.ask(teams.defaults())) {
    const taken = other.id === id ? undefined : other.default_for.find((about) => default_for.includes(about))
    if (taken) throw conflict('team_default_taken', `New tickets about ${taken} get the team ${other.name}`)
  }
}

type Sides = { before: Team | null; after: Team | null }

const note = (ctx: SystemContext, action: string, { before, after }: Sides) =>
  ctx.ask(
    serviceChange(ctx, action, {
      resource: 'team',
      id: (after ?? before)?.id ?? 0,
      before: before && sideOf(before),
      after: after && sideOf(after),
    }),
  )

const sideOf = ({ name, default_for, members }: Team) => ({
  name,
  default_for,
  member_ids: members.map(({ user_id }) => user_id),
})

function failAsTwin(error: unknown): never {
  if (uniqueViolation(error) === 'teams_name') throw conflict('name_taken', 'Another team has this name')
  throw error
}
