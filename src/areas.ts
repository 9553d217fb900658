// The table of contents: every area's routes, jobs and event consumers, in the order of the specification.
import { eventConsumers, type Consumer, type EventConsumers } from '#kernel/events.ts'
import type { Job } from '#kernel/jobs.ts'
import { area, type Route } from '#kernel/route.ts'
import { entitlementJobs } from '#areas/entitlements/jobs.ts'
import { entitlementRoutes } from '#areas/entitlements/routes.ts'

type Area = { name: string; routes?: readonly Route[]; jobs?: readonly Job[]; consumers?: readonly Consumer[] }

export const AREAS: readonly Area[] = [{ name: 'entitlements', routes: entitlementRoutes, jobs: entitlementJobs }]

export const routes: Route[] = AREAS.flatMap(({ name, routes: own = [] }) => area(name, own))
export const jobs: Job[] = AREAS.flatMap(({ jobs: own = [] }) => own)
export const consumers: readonly Consumer[] = AREAS.flatMap(({ consumers: own = [] }) => own)
export const consumersWith = (more: readonly Consumer[]): EventConsumers => eventConsumers([...consumers, ...more])
