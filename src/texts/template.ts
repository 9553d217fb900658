// Templates: eta with every value escaped, compiled once when the module that holds the template loads.

import { Eta } from 'eta'

export type Template<Data extends object> = (data: Data) => string

/** `<%= it.name %>` is escaped. `<%~ it.body %>` is not: only for what another template made. */
export function template<Data extends object>(source: string): Template<Data> {
  const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })
  const compiled = eta.compile(source.trimStart())
  return (data) => compiled.call(eta, data)
}
