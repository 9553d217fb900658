// What staff do about environments: their status, what the provisioning system was asked for, and maintenance.
import * as api from '@titular/sdk'
import { type Action, type Field, type Item, textOf } from './resource.ts'
import type { Section, TimeBar } from './section.ts'

const PERMISSION = 'entitlements:write'

export const provisioningActions: readonly Action[] = [
  {
    name: 'provisionEnvironment',
    operation: api.provisionEnvironment,
    permission: PERMISSION,
    isOffered: ({ provisioning_state }) => provisioning_state === 'failed' || provisioning_state === 'requested',
    isMain: true,
  },
  {
    name: 'confirmEnvironment',
    operation: api.confirmEnvironment,
    permission: PERMISSION,
    isOffered: ({ provisioning_state, provisioning_act }) =>
      provisioning_act !== 'provision' && provisioning_state !== 'done' && provisioning_state !== 'none',
  },
  {
    name: 'updateEnvironmentStatus',
    operation: api.updateEnvironmentStatus,
    permission: PERMISSION,
    form: [
      {
        field: 'status',
        isRequired: true,
        chooses: { values: ['provisioning', 'active', 'maintenance', 'suspended', 'decommissioned'] },
      },
      { field: 'note', as: 'long' },
    ],
  },
  {
    name: 'updateEnvironment',
    operation: api.updateEnvironment,
    permission: PERMISSION,
    form: [
      { field: 'name', isRequired: true, first: ({ name }) => name },
      { field: 'url', first: (record) => record['url'], clears: true },
    ],
  },
]

const ofWindow: readonly Field[] = [
  { field: 'starts_at', as: 'time', isRequired: true, first: (record) => localTime(record['starts_at']) },
  { field: 'ends_at', as: 'time', isRequired: true, first: (record) => localTime(record['ends_at']) },
  { field: 'note', as: 'long', first: ({ note }) => note },
]

/** As a field of the browser takes it, in the time zone of the person. */
function localTime(time: unknown): string {
  if (typeof time !== 'string') return ''
  const at = new Date(time)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export const maintenanceSection: Section = {
  name: 'maintenance',
  list: api.listEnvironmentMaintenanceWindows,
  columns: [
    { field: 'starts_at', as: 'time' },
    { field: 'ends_at', as: 'time' },
    { field: 'status', as: 'status' },
    { field: 'note' },
  ],
  creates: {
    name: 'createMaintenanceWindow',
    operation: api.createEnvironmentMaintenanceWindow,
    permission: PERMISSION,
    form: ofWindow,
  },
  actions: [
    {
      name: 'updateMaintenanceWindow',
      operation: api.updateEnvironmentMaintenanceWindow,
      reads: api.getEnvironmentMaintenanceWindow,
      permission: PERMISSION,
      isOffered: ({ status }) => status === 'scheduled' || status === 'running',
      at: ({ id, environment_id }) => ({ id: environment_id, window_id: id }),
      form: ofWindow,
    },
    {
      name: 'cancelMaintenanceWindow',
      operation: api.cancelEnvironmentMaintenanceWindow,
      permission: PERMISSION,
      isOffered: ({ status }) => status === 'scheduled' || status === 'running',
      at: ({ id, environment_id }) => ({ id: environment_id, window_id: id }),
      isDangerous: true,
    },
  ],
}

export const environmentHistory: Section = {
  name: 'history',
  list: api.listEnvironmentHistory,
  columns: [
    { field: 'changed_at', as: 'time' },
    { field: 'from_status', as: 'status' },
    { field: 'to_status', as: 'status' },
    { field: 'changed_by_name', as: 'actor' },
    { field: 'note' },
  ],
  timeBar: yearOf,
}

const YEAR_MS = 365 * 86_400_000

/** The states of the last year, from all changes to them. */
function yearOf(rows: readonly Item[]): TimeBar {
  const latestFirst = rows.toSorted((one, other) => Number(other['id']) - Number(one['id']))
  const changes = latestFirst.map((row) => ({ state: textOf(row['to_status']), from: textOf(row['changed_at']) }))
  // An organization with a test clock may be ahead.
  const now = [new Date().toISOString(), changes[0]?.from ?? ''].toSorted().at(-1) ?? ''
  const begin = new Date(new Date(now).getTime() - YEAR_MS).toISOString()
  const bands = changes.map(({ state, from }, index) => ({
    state,
    from: from < begin ? begin : from,
    to: changes[index - 1]?.from ?? now,
  }))
  return { bands: bands.filter(({ from, to }) => from < to).toReversed(), moments: [{ name: 'now', at: now }] }
}
