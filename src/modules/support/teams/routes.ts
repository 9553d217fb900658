// The endpoints of teams, all of staff.
import { Type } from 'typebox'
import { vendor } from '#kernel/values/permissions.ts'
import { ById } from '#kernel/values/schema.ts'
import { route } from '#http/route.ts'
import { changeTeam, createTeam, removeTeam } from './change-team.ts'
import { teams } from './queries.ts'
import { Assignee, NewTeam, Team, TeamChange, TeamFilters } from './team.ts'

export const teamRoutes = [
  route({
    method: 'GET',
    path: '/admin/teams/assignees',
    access: vendor('tickets'),
    purpose: 'List the people to whom tickets can be given.',
    description:
      'By name: those of staff who may read tickets, with their teams. The ticket of a team goes to one who is of it.',
    query: TeamFilters,
    page: Assignee,
    read: (_, { query }) => teams.assignees(query),
  }),
  route({
    method: 'GET',
    path: '/admin/teams',
    access: vendor('tickets'),
    purpose: 'List the teams of the vendor’s staff.',
    description:
      'Newest first. Members are those who may read tickets now: who has left staff, or is disabled, is not among ' +
      'them.',
    query: TeamFilters,
    page: Team,
    read: (_, { query }) => teams.page(query),
  }),
  route({
    method: 'POST',
    path: '/admin/teams',
    access: vendor('tickets'),
    purpose: 'Create a team.',
    description:
      'It gives its members no permission. 409 for the name of another team, and when another team is the default ' +
      'for the same tickets.',
    body: NewTeam,
    openapi: { example: { name: 'Hosting', default_for: ['ENV'], member_ids: [1] } },
    data: Team,
    status: 201,
    fails: ['name_taken', 'team_default_taken'],
    run: async (ctx, { body }) => ({ data: await createTeam(ctx, body), message: 'Team created' }),
  }),
  route({
    method: 'GET',
    path: '/admin/teams/{id}',
    access: vendor('tickets'),
    purpose: 'Get a team with its members.',
    description:
      '`default_for` is which new tickets it gets. Members are those who may read tickets now: who has left staff, ' +
      'or is disabled, is not among them.',
    params: ById,
    data: Team,
    read: (_, { params }) => teams.byId(params.id),
  }),
  route({
    method: 'PATCH',
    path: '/admin/teams/{id}',
    access: vendor('tickets'),
    purpose: 'Update a team, or who is of it.',
    description: 'Only the given fields change; `member_ids` replaces all members. Tickets keep their assignees.',
    params: ById,
    body: TeamChange,
    openapi: { example: { member_ids: [1] } },
    data: Team,
    fails: ['name_taken', 'team_default_taken'],
    run: async (ctx, { params, body }) => ({
      data: await changeTeam(ctx, params.id, body),
      message: 'Team changed',
    }),
  }),
  route({
    method: 'DELETE',
    path: '/admin/teams/{id}',
    access: vendor('tickets'),
    purpose: 'Delete a team.',
    description: '409 while it has tickets that have not ended.',
    params: ById,
    data: Type.Null(),
    fails: ['team_in_use'],
    run: async (ctx, { params }) => {
      await removeTeam(ctx, params.id)
      return { data: null, message: 'Team deleted' }
    },
  }),
]
