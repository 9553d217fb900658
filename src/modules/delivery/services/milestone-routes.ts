// Milestones of a service.
import { notInFuture } from '#kernel/values/time/time-rules.ts'
import { org, staff } from '#kernel/values/permissions.ts'
import { route } from '#http/route.ts'
import { ById, Closed, Paging } from '#kernel/values/schema.ts'
import { ByMilestone, Milestone, MilestoneChange, NewMilestone } from './milestone.ts'
import { addMilestone, changeMilestone } from './milestones.ts'
import { services } from './queries.ts'

export const milestoneRoutes = [
  route({
    method: 'GET',
    path: '/services/{id}/milestones',
    access: org('entitlements'),
    purpose: 'List the milestones of a service.',
    description: 'The one that was added last comes first. Those without `done_at` are still to be done.',
    params: ById,
    query: Closed(Paging),
    page: Milestone,
    read: ({ org: id }, { params, query }) => services.milestones(id, params.id, query),
  }),
  route({
    method: 'POST',
    path: '/services/{id}/milestones',
    access: staff('entitlements'),
    purpose: 'Create a milestone.',
    description: '409 when the service is closed or cancelled.',
    params: ById,
    body: NewMilestone,
    rules: ({ done_at }, { now }) => notInFuture('done_at', done_at, now),
    openapi: { example: { title: 'Courses migrated', due_date: '2026-12-18' } },
    data: Milestone,
    status: 201,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await addMilestone(ctx, params.id, body),
      message: 'Milestone added',
    }),
  }),
  route({
    method: 'GET',
    path: '/services/{id}/milestones/{milestone_id}',
    access: org('entitlements'),
    purpose: 'Get a milestone.',
    description: '`done_at` is null until staff say when it was done; the status of the service does not follow it.',
    params: ByMilestone,
    data: Milestone,
    read: ({ org: id }, { params }) => services.milestone(id, params.id, params.milestone_id),
  }),
  route({
    method: 'PATCH',
    path: '/services/{id}/milestones/{milestone_id}',
    access: staff('entitlements'),
    purpose: 'Update a milestone.',
    description: '`done_at` says when it was done.',
    params: ByMilestone,
    body: MilestoneChange,
    rules: ({ done_at }, { now }) => notInFuture('done_at', done_at, now),
    openapi: { example: { done_at: '2026-11-20T14:42:55.123Z' } },
    data: Milestone,
    fails: ['status_not_allowed'],
    run: async (ctx, { params, body }) => ({
      data: await changeMilestone(ctx, params.id, params.milestone_id, body),
      message: 'Milestone updated',
    }),
  }),
]
