// What stands below a record, as data: lists, timelines, and what is drawn along the time. parts/ draws them.
import type { AnyOperation } from '@titular/sdk'
import type { Texts } from '../texts/en.ts'
import type { Action, Column, Item, Paper } from './resource.ts'

/** What is drawn along the time: states from one moment to another, and moments, `now` among them. */
export type TimeBar = {
  bands?: readonly { state: string; from: string; to: string }[]
  moments: readonly { name: string; at: string; isLate?: boolean }[]
}

/** What happened to a record, of one kind: a list of it, of which each row has its time. */
export type TimelineSource = {
  name: 'state' | 'order' | 'invoice' | 'payment' | 'creditNote' | 'refund' | 'dispute' | 'mail' | 'ticket' | 'contract'
  list: AnyOperation
  at: (record: Item) => Item
  time: 'changed_at' | 'created_at' | 'date_created'
  columns: readonly Column[]
  /** The kind of record that it opens; who sees that sees it here. */
  opens?: keyof Texts['resources']
  /** What it needs without one. */
  scope?: string
  permission?: string
}

/** A list below a record: its versions, its history, who has a share. */
export type Section = {
  name: keyof Texts['sections']
  list?: AnyOperation
  /** Without a list of its own: the field of the record that has the rows, or what makes them. */
  rows?: string
  rowsOf?: (record: Item) => readonly Item[]
  /** Its rows are parts of the record, which their acts change. */
  isOfRecord?: true
  /** The parameters of the list; the record's `id` by default. */
  at?: (record: Item) => Item
  columns: readonly Column[]
  actions?: readonly Action[]
  papers?: readonly (Paper & { at: (record: Item, row: Item) => Item })[]
  creates?: Action
  /** Of whom it is shown, if not of everybody who sees the record. */
  scope?: string
  permission?: string
  isShown?: (record: Item) => boolean
  /** Asked for when somebody opens it, so that a record opens with few requests. */
  isFolded?: (record: Item) => boolean
  /** What a row shows of itself on request. */
  detail?: { get: AnyOperation; at: (record: Item, row: Item) => Item; columns: readonly Column[] }
  /** In place of rows: what happened, of several kinds. */
  timeline?: readonly TimelineSource[]
  /** All of its rows as a picture. */
  timeBar?: (rows: readonly Item[]) => TimeBar
  /** The kind of record that a row opens, and its id. */
  opens?: { resource: string; idOf?: (row: Item) => unknown }
}
