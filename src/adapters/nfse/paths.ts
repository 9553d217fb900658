// The path of each operation below the base address; some municipalities have the same operations under other paths.

export type Paths = { issue: string; declaration: string; invoice: string; events: string; event: string }

export const PATHS: Paths = {
  issue: '/nfse',
  declaration: '/dps/{id}',
  invoice: '/nfse/{key}',
  events: '/nfse/{key}/eventos',
  event: '/nfse/{key}/eventos/{type}/{sequence}',
}

const PLACES: Record<keyof Paths, readonly string[]> = {
  issue: [],
  declaration: ['{id}'],
  invoice: ['{key}'],
  events: ['{key}'],
  event: ['{key}', '{type}', '{sequence}'],
}

/** `issue=/nfse,declaration=/dps/{id}`, each with its placeholders; others keep the default. Throws a sentence. */
export function readPaths(parts: readonly string[]): Partial<Paths> {
  const paths: Partial<Paths> = {}
  for (const part of parts) {
    const [, given, path = ''] = /^([a-z]+)=(\/[\w./{}-]*)$/.exec(part) ?? []
    const name = names.find((one) => one === given)
    if (!name) throw new Error(`must list paths such as issue=/nfse; their names are ${names.join(', ')}`)
    const places = path.match(/\{[^}]*\}/g) ?? []
    if ([...places].toSorted().join() !== [...PLACES[name]].toSorted().join())
      throw new Error(`must name ${PLACES[name].join(', ') || 'no place'} in the path of ${name}`)
    paths[name] = path
  }
  return paths
}

const names = ['issue', 'declaration', 'invoice', 'events', 'event'] as const

export const pathOf = (template: string, places: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(places[name] ?? ''))
