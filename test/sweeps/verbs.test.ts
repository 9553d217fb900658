// One verb for one act: the first words of the names of operations, and of their summaries.
import { describe, expect, it } from 'vitest'
import { routes } from '../../src/modules.ts'
import { operationIdOf } from '#http/openapi/operation-id.ts'
import type { Route } from '#http/route.ts'

/** What every kind of record has: by the method alone where that says it. The summaries begin with the same word. */
const OF_ALL_RECORDS: Record<string, readonly Route['method'][]> = {
  list: ['GET'],
  get: ['GET'],
  download: ['GET'],
  create: ['POST'],
  // A status is changed by POST.
  update: ['PUT', 'PATCH', 'POST'],
  delete: ['DELETE'],
}

/** All others, by what they are done to. A new one must be added here deliberately: is there none for the act? */
const OWN_VERBS: readonly string[] = [
  // People and their sign-ins.
  'register login logout refresh begin confirm verify validate check request reset undo resend renew step disable',
  'enable end invite transfer',
  // What is decided.
  'accept reject approve decline withdraw cancel restore dismiss',
  // Sales and money.
  'send revise adjust draft preview finalize void mark remind bill pay apply refund settle move substitute retry pause',
  'resume ask',
  // What is delivered.
  'activate deactivate suspend revoke rotate provision publish yank report',
  // Staff and other systems.
  'assign snooze advance rate sync push replay redeliver test receive search bulk',
].flatMap((line) => line.split(' '))

const OF_A_METHOD: Readonly<Record<Route['method'], readonly string[]>> = {
  GET: ['list', 'get', 'download', 'search', 'check'],
  POST: ['create', 'update', ...OWN_VERBS],
  PUT: ['update'],
  PATCH: ['update'],
  DELETE: ['delete'],
}

const named = routes.map((route) => {
  const id = operationIdOf(route)
  const own = id.replace(/^admin(?=[A-Z])/, '')
  const verb = /^[A-Z]?[a-z]+/.exec(own)?.[0].toLowerCase() ?? ''
  return { route, id, own, verb, name: `${id}: ${route.method} ${route.path}` }
})
const bad = (isBad: (one: (typeof named)[number]) => boolean): string[] => named.filter(isBad).map(({ name }) => name)

describe('the name of an operation', () => {
  it('begins with the verb of its method, or with one of the table', () => {
    expect(bad(({ route, verb }) => !OF_A_METHOD[route.method].includes(verb))).toEqual([])
  })
  it('is of staff across organizations below /admin, and nowhere else', () => {
    expect(bad(({ route, id, own }) => route.path.startsWith('/admin/') !== (id !== own))).toEqual([])
  })
  it('says create for what is added to a list, and list for its pages', () => {
    const lists = new Set(routes.filter(({ page }) => page).map(({ path }) => path))
    expect(bad(({ route, verb }) => route.method === 'POST' && lists.has(route.path) && verb !== 'create')).toEqual([])
    expect(bad(({ route, verb }) => route.page !== undefined && !['list', 'search'].includes(verb))).toEqual([])
  })
  it('says update for a status', () => {
    expect(bad(({ route, verb }) => route.path.endsWith('/status') && verb !== 'update')).toEqual([])
  })
  it('uses every verb of the table', () => {
    const used = new Set(named.map(({ verb }) => verb))
    expect([...Object.keys(OF_ALL_RECORDS), ...OWN_VERBS].filter((verb) => !used.has(verb))).toEqual([])
    expect(OWN_VERBS.toSorted()).toEqual([...new Set(OWN_VERBS)].toSorted())
  })
})

describe('the summary of an operation', () => {
  it('begins with the same verb, where every kind of record has it', () => {
    // What is created is uploaded, issued, requested: the summary says how.
    const alike = new Set(Object.keys(OF_ALL_RECORDS).filter((verb) => verb !== 'create'))
    expect(
      named
        .filter(({ route, verb }) => alike.has(verb) && route.purpose.split(' ')[0]?.toLowerCase() !== verb)
        .map(({ name, route }) => `${name}: ${route.purpose}`),
    ).toEqual([])
  })
  it('begins with a verb, not with what became of something', () => {
    expect(bad(({ route }) => !/^[A-Z][a-z]*(?<!ed|ing)[ ,’]/.test(route.purpose))).toEqual([])
  })
})
