// The endpoints of test clocks: a time of its own for an organization in the sandbox.
import { vendor } from '#kernel/values/permissions.ts'
import { testClocks } from '#kernel/data/test-clocks.ts'
import { route, row } from '#http/route.ts'
import { ById } from '#kernel/values/schema.ts'
import { advanceTestClock } from './advance-test-clock.ts'
import { startTestClock } from './start-test-clock.ts'
import { NewTestClock, rangeProblems, TestClock, TestClockAdvance } from './test-clock.ts'

export const testClockRoutes = [
  route({
    method: 'GET',
    path: '/admin/organizations/{id}/test-clock',
    access: vendor('jobs'),
    purpose: 'Get the test clock of an organization.',
    description: '404 when it has none.',
    params: ById,
    data: TestClock,
    read: (_, { params }) => row(testClocks.of(params.id)),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/test-clock',
    access: vendor('jobs'),
    purpose: 'Give a new organization a test clock.',
    description:
      'In the sandbox only. From then on the organization lives at `now`, which stands still until it is ' +
      'advanced. 409 for an organization that has records already, or a test clock.',
    params: ById,
    body: NewTestClock,
    rules: ({ now }) => rangeProblems('now', now),
    openapi: { operationId: 'createOrganizationTestClock', example: { now: '2027-01-31T12:00:00Z' } },
    data: TestClock,
    status: 201,
    fails: ['organization_not_new', 'sandbox_only', 'test_clock_exists'],
    run: async (ctx, { params, body }) => ({
      data: await startTestClock(ctx, params.id, body.now),
      message: 'The organization lives in a time of its own',
    }),
  }),
  route({
    method: 'POST',
    path: '/admin/organizations/{id}/test-clock/advance',
    access: vendor('jobs'),
    purpose: 'Let time pass for an organization with a test clock.',
    description:
      'What would have happened until then happens in its order, each at its moment. The answer comes ' +
      'before: ask for the test clock until its `status` is not `advancing`. 409 while it is. After ' +
      '`failed`, an advance tries again what has failed, and goes on.',
    params: ById,
    body: TestClockAdvance,
    rules: ({ to }) => rangeProblems('to', to),
    openapi: { example: { to: '2027-03-01T12:00:00Z' } },
    data: TestClock,
    status: 202,
    fails: ['sandbox_only', 'test_clock_advancing'],
    run: async (ctx, { params, body }) => ({
      data: await advanceTestClock(ctx, params.id, body.to),
      message: 'Time passes',
    }),
  }),
]
