// The screens that are no list and no record of one kind. Each is loaded when it is opened.
import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import type { Search } from './parts/list.tsx'
import type { Here } from './place.ts'
import type { Texts } from './texts/en.ts'

export type ScreenProps = {
  here: Here
  /** What follows its name in the address. */
  rest: string
  search: Search
  onSearch: (search: Search) => void
}

type ScreenModule = Promise<{ Screen: ComponentType<ScreenProps> }>

export type Screen = {
  name: keyof Texts['screens']
  /** `me` is of the person alone. */
  place: 'organization' | 'all' | 'me'
  group: keyof Texts['groups']
  /** The scope that shows it, of members and of staff; without one everybody sees it. */
  scope?: string
  /** Opened from a record, so it is not in the menu. */
  isHidden?: true
  /** The permission of staff that shows it. */
  permission?: string
  Component: LazyExoticComponent<ComponentType<ScreenProps>>
}

const loaded = (load: () => ScreenModule) => lazy(async () => ({ default: (await load()).Screen }))

export const SCREENS: readonly Screen[] = [
  {
    name: 'accept',
    place: 'organization',
    group: 'sales',
    scope: 'quotes',
    isHidden: true,
    Component: loaded(() => import('./routes/organization/accept.tsx')),
  },
  {
    name: 'account-statement',
    place: 'organization',
    group: 'sales',
    scope: 'finances',
    Component: loaded(() => import('./routes/billing/statement.tsx')),
  },
  {
    name: 'billing-terms',
    place: 'organization',
    group: 'sales',
    scope: 'finances',
    Component: loaded(() => import('./routes/billing/terms.tsx')),
  },
  {
    name: 'dunning',
    place: 'all',
    group: 'vendor',
    permission: 'finances:read',
    Component: loaded(() => import('./routes/billing/dunning.tsx')),
  },
  {
    name: 'municipal-parameters',
    place: 'all',
    group: 'vendor',
    permission: 'finances:read',
    Component: loaded(() => import('./routes/municipal/municipal.tsx')),
  },
  {
    name: 'organization-erasure',
    place: 'all',
    group: 'administration',
    permission: 'users:read',
    isHidden: true,
    Component: loaded(() => import('./routes/erasure/organization-erasure.tsx')),
  },
  { name: 'reports', place: 'all', group: 'vendor', Component: loaded(() => import('./routes/reports/reports.tsx')) },
  {
    name: 'reports',
    place: 'organization',
    group: 'account',
    Component: loaded(() => import('./routes/reports/reports.tsx')),
  },
  {
    name: 'quote-editor',
    place: 'organization',
    group: 'sales',
    permission: 'quotes:write',
    Component: loaded(() => import('./routes/quotes/editor.tsx')),
  },
  {
    name: 'lineage',
    place: 'organization',
    group: 'delivery',
    scope: 'entitlements',
    isHidden: true,
    Component: loaded(() => import('./routes/organization/lineage.tsx')),
  },
  {
    name: 'organization',
    place: 'organization',
    group: 'account',
    scope: 'organization',
    Component: loaded(() => import('./routes/organization/organization.tsx')),
  },
  {
    name: 'settings',
    place: 'all',
    group: 'administration',
    scope: 'any',
    Component: loaded(() => import('./routes/settings/settings.tsx')),
  },
  {
    name: 'business-hours',
    place: 'all',
    group: 'support',
    scope: 'settings',
    Component: loaded(() => import('./routes/business-hours/business-hours.tsx')),
  },
  {
    name: 'new-import',
    place: 'all',
    group: 'operations',
    scope: 'any',
    isHidden: true,
    Component: loaded(() => import('./routes/imports/new-import.tsx')),
  },
  { name: 'profile', place: 'me', group: 'me', Component: loaded(() => import('./routes/me/profile.tsx')) },
  {
    name: 'device',
    place: 'me',
    group: 'me',
    isHidden: true,
    Component: loaded(() => import('./routes/device/device.tsx')),
  },
  { name: 'security', place: 'me', group: 'me', Component: loaded(() => import('./routes/me/security.tsx')) },
  {
    name: 'notice-preferences',
    place: 'me',
    group: 'me',
    Component: loaded(() => import('./routes/me/notice-preferences.tsx')),
  },
]

export const screenOf = (place: Screen['place'], name: string): Screen | undefined =>
  SCREENS.find((one) => one.place === place && one.name === name)
