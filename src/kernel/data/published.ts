// What customers see of a table's events (docs/interface/messages.md, Events): declared by the area of the table, read
// by the event feed, the webhooks and the catalogue of event types.
import { type TObject, type TSchema, Type } from 'typebox'
import type { Scope } from '#kernel/values/permissions.ts'
import type { OfOrganizations } from '#kernel/data/lists/of-organizations.ts'
import type { Statement } from '#kernel/values/sql.ts'
import type { Table } from './table.ts'

export type PublishedResource = {
  readonly table: Table
  /** All of them are needed to see its events. */
  readonly scopes: readonly Scope[]
  /** What happened, by the last part of the event's type. Others are never published. */
  readonly events: Readonly<Record<string, string>>
  /** The record as events carry it: the columns that customers see. */
  readonly schema: TObject
  /** Whether customers could see the record when the event happened. */
  readonly isVisible: (row: Record<string, unknown>) => boolean
  /** Selects the entitlement codes of an event `e`, which is `of` an organization, whose own data has none. */
  readonly linkedCodes: ((of: OfOrganizations) => Statement) | null
}

/** `record` is what the resource's own endpoints answer; its fields that are no columns, or masked, are left out. */
export function publishedResource<Row, Resource extends string, Event extends string>(
  table: Table<Row, Resource, Event>,
  options: {
    scopes: readonly Scope[]
    record: TSchema & { properties: Record<string, TSchema> }
    events: { readonly [Name in NoInfer<Event> | 'created' | 'updated' | 'deleted']?: string }
    isVisible?: (row: NoInfer<Row>) => boolean
    linkedCodes?: (of: OfOrganizations) => Statement
  },
): PublishedResource {
  const { scopes, record, events, isVisible = () => true, linkedCodes = null } = options
  const stored = table.visible.filter((column) => !table.masked.includes(column))
  const fields = Object.entries(record.properties).filter(([name]) => stored.includes(name))
  const { description } = record as { description?: string }
  const schema = Type.Object(Object.fromEntries(fields), description === undefined ? {} : { description })
  return { table, scopes, events, schema, isVisible, linkedCodes } as PublishedResource
}
