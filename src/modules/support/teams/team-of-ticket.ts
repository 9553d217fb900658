// The team that a ticket is given to, and whom of it: whoever has a ticket of a team is of the team.
import type { OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import { teams, type TeamDefault } from './queries.ts'
import type { TicketAbout } from './team.ts'

type Assignment = { team_id: number | null; assignee_id: number | null }

/** 422 when there is no such team, or the assignee is not of it. */
export async function assertInTeam(
  ctx: Pick<OrganizationContext, 'ask'>,
  { teamId, assigneeId }: { teamId: number | null; assigneeId: number | null },
): Promise<void> {
  if (teamId === null) return
  const [[team], members] = await Promise.all([ctx.ask(teams.isThere(teamId)), ctx.ask(teams.membersOf(teamId))])
  if (!team) throw invalid({ team_id: 'no such team' })
  if (assigneeId !== null && !members.some(({ user_id }) => user_id === assigneeId))
    throw invalid({ assignee_id: 'must be of the team of the ticket' })
}

/** A new team takes the ticket from an assignee who is not of it, unless the change names one. */
export async function assignment(
  ctx: OrganizationContext,
  ticket: Assignment,
  given: { [Name in keyof Assignment]: Assignment[Name] | undefined },
): Promise<{ assignee_id?: null }> {
  const { team_id = ticket.team_id, assignee_id } = given
  const isNew = given.team_id !== undefined && given.team_id !== ticket.team_id
  if (team_id === null || (!isNew && !assignee_id)) return {}
  await assertInTeam(ctx, { teamId: team_id, assigneeId: assignee_id ?? null })
  if (assignee_id !== undefined || ticket.assignee_id === null) return {}
  const members = await ctx.ask(teams.membersOf(team_id))
  return members.some(({ user_id }) => user_id === ticket.assignee_id) ? {} : { assignee_id: null }
}

/** The team that gets new tickets about this; null for none. */
export const usualTeam = (defaults: readonly TeamDefault[], about: TicketAbout): number | null =>
  defaults.find(({ default_for }) => default_for.includes(about))?.id ?? null

/** Who of the team gets the mails of a ticket that nobody has. */
export async function unassignedTeam(
  context: Pick<OrganizationContext, 'ask'>,
  { team_id, assignee_id }: Assignment,
): Promise<number[]> {
  if (team_id === null || assignee_id !== null) return []
  return (await context.ask(teams.membersOf(team_id))).map(({ user_id }) => user_id)
}
