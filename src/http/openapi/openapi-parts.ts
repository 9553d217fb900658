// The document of one audience: its operations, and what they refer to, by the same names as in the whole document.
// `portal`: what members of an organization, or anybody, may do; `vendor`: what only staff and other systems may.
import { isObject, type Json, type JsonObject, membersOf, objectAt, textAt } from '#kernel/values/json.ts'

export function partOf(document: JsonObject, audience: 'portal' | 'vendor'): JsonObject {
  const { components = {}, tags = [], paths = {}, ...rest } = document
  const isFor = (operation: Json) => isObject(operation) && (operation['x-audience'] ?? 'portal') === audience
  const ofAudience = membersOf(paths).map(([path, item]) => [path, filtered(item, isFor)] as const)
  const own = { ...rest, paths: Object.fromEntries(ofAudience.filter(([, item]) => Object.keys(item).length > 0)) }
  const text = JSON.stringify(own)
  const used = new Set<string>()
  const follow = (value: string): void => {
    for (const [, kind = '', name = ''] of value.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (used.has(`${kind} ${name}`)) continue
      used.add(`${kind} ${name}`)
      follow(JSON.stringify(objectAt(objectAt(components, kind), name)))
    }
  }
  follow(text)
  const kept = membersOf(components).map(([kind, all]) => [
    kind,
    filtered(all, (_one, name) => kind === 'securitySchemes' || used.has(`${kind} ${name}`)),
  ])
  const isNamed = (tag: Json) => isObject(tag) && text.includes(`"tags":["${textAt(tag, 'name')}"]`)
  return { ...own, tags: [tags].flat().filter(isNamed), components: Object.fromEntries(kept) }
}

const filtered = (value: Json | undefined, test: (one: Json, name: string) => boolean): JsonObject =>
  Object.fromEntries(membersOf(value).filter(([name, one]) => test(one, name)))
