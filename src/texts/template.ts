// Templates: eta with every value escaped; each is compiled once, when its module is loaded.

import { Eta } from 'eta'

export type Template<Data extends object> = (data: Data) => string

/** `<%= it.name %>` is escaped. `<%~ it.body %>` is not: only for the output of another template. */
export function template<Data extends object>(source: string): Template<Data> {
  const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })
  const compiled = eta.compile(source.trimStart())
  return (data) => compiled.call(eta, data)
}
