// One list says which names are not public, for licenses and for addresses of other systems.
import { describe, expect, it } from 'vitest'
import { isLocalName } from '#kernel/network/local-names.ts'
import { urlProblem } from '#kernel/network/public-url.ts'
import { isFree } from './license-domain.ts'

const LOCAL = [
  'localhost',
  'app.localhost',
  'acme.test',
  'a.b.test',
  'test',
  'minhaloja.local',
  'x.internal',
  'nas.lan',
]
const MORE = [
  'shop.home.arpa',
  'shop.home',
  'wiki.corp',
  'wiki.intranet',
  'wiki.private',
  'pc.localdomain',
  'x.invalid',
]

describe('names that are not public', () => {
  it.each([...LOCAL, ...MORE])('%s: no slot of a license, no webhook', (name) => {
    expect([isLocalName(name), isFree(name, []), urlProblem(`https://${name}/hook`, false)]).toEqual([
      true,
      true,
      'must be at a public address',
    ])
  })
  it.each([
    'contest',
    'latest.example',
    'localhost.acme.example',
    'local.acme.example',
    'mylocal',
    'home.arpa.example',
  ])('%s is another name', (name) =>
    expect([isLocalName(name), isFree(name, []), urlProblem(`https://${name}`, false)]).toEqual([false, false, null]),
  )
})
